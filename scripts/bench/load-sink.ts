import type { Value } from '../../src/server/kernel/database.ts'

/** Takes rows in quantity; one at a time, in the order in which they come. */
export interface Sink {
  write(table: string, columns: readonly string[], rows: readonly Value[][]): Promise<void>
  /** Makes what was written last, and known to the planner. */
  close(): Promise<void>
}

/** Opens the tables at an address of the service's database, which nobody else uses meanwhile. */
export async function openSink(address: string): Promise<Sink> {
  if (!address.startsWith('postgres')) return (await import('./load-sqlite.ts')).openFile(address)
  return (await import('./load-postgres.ts')).openServer(address)
}
