/** The part of a logger that is used here. */
export interface Log {
  info(details: object, message: string): void
  /** What is not a fault of the service, and somebody may want to look at. */
  warn?(details: object, message: string): void
  error(error: unknown, message: string): void
}
