/**
 * The world of a service at one moment. It lives as long as this process, and only the service that
 * it was taken of can restore it: a world to keep in a repository is a fixture.
 */
export interface Snapshot {
  /** When it was taken. */
  readonly takenAt: Date
}

/** Takes snapshots, and restores them. */
export interface Snapshots {
  snapshot(): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<void>
}
