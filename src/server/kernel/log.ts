/** The part of a logger that is used here. */
export interface Log {
  info(details: object, message: string): void
  error(error: unknown, message: string): void
}
