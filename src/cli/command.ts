/** The exit codes of a command: success, invalid or failed, or wrong usage. */
export type ExitCode = 0 | 1 | 2

/** One command of `financial-data-service`. */
export interface Command {
  /** What `--help` prints. The completion in a shell is derived from it, too. */
  help: string
  /** The oldest Node that it runs on, where that is newer than the package's own. */
  node?: number
  run(args: string[]): Promise<ExitCode>
}

export const program = 'financial-data-service'
