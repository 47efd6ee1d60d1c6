import { Readable } from 'node:stream'
import { type ReadOptions, readStatement } from '../../src/statements/read-statement.ts'
import { NoStatement, type StatementEvent } from '../../src/statements/statement.ts'

/** What a file tells when it comes in the given pieces. */
export async function readPieces(
  pieces: readonly Uint8Array[],
  options: ReadOptions = {},
): Promise<{ format: string; encoding: string; events: StatementEvent[] }> {
  const file = await readStatement(Readable.from(pieces, { objectMode: true }), options)
  const events: StatementEvent[] = []
  for await (const batch of file.events) events.push(...batch)
  return { format: file.format, encoding: file.encoding(), events }
}

export const readBytes = (bytes: string | Uint8Array, options?: ReadOptions) =>
  readPieces([Buffer.from(bytes)], options)

/** What a file tells, or why it is no statement; any other error is thrown. */
export async function readOrRefuse(
  bytes: Uint8Array,
  options?: ReadOptions,
): Promise<StatementEvent[] | string> {
  try {
    return (await readBytes(bytes, options)).events
  } catch (error) {
    if (error instanceof NoStatement) return error.message
    throw error
  }
}

export const transactionsOf = (events: readonly StatementEvent[]) =>
  events.flatMap((event) => (event.kind === 'transaction' ? [event.transaction] : []))

export const issuesOf = (events: readonly StatementEvent[]) =>
  events.flatMap((event) => (event.kind === 'issue' ? [event.issue] : []))
