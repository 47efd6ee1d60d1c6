/** What a check found: `ok`, or in a few words what is wrong. */
export interface ReadyState {
  ready: boolean
  checks: { accepting: string; database: string; migrations: string; writes: string }
}

/** Whether this process is to be given requests. */
export interface Readiness {
  check(): Promise<ReadyState>
  /** From now on it is not, since the process is about to end. */
  drain(): void
  isDraining(): boolean
}
