import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { StatementEvent } from '../../statements/statement.ts'
import { DatabaseError } from '../kernel/database.ts'
import type { Events } from '../operator/operator-command.ts'

// A command is a line of JSON. Where it takes what a file holds, that follows as lines of JSON, and
// `"end"` is the last one, or `{"failed":…}` where the file could not be read: a sender that is killed
// has not said everything.

const end = JSON.stringify('end')

/** A command, and the lines that follow it. */
export interface Order<Command> {
  command: Command
  events: Events
  /** Stops reading lines. */
  stop(): Promise<unknown>
}

/** Reads a command. What follows it is read as it is asked for. */
export async function readOrder<Command>(connection: Socket): Promise<Order<Command>> {
  const lines = readLines(connection)
  const { value } = await lines.next()
  return {
    command: JSON.parse(value ?? '') as Command,
    events: readEvents(lines),
    stop: () => lines.return(undefined),
  }
}

async function* readEvents(
  lines: AsyncGenerator<string, undefined>,
): AsyncGenerator<readonly StatementEvent[]> {
  for (;;) {
    const { value } = await lines.next()
    if (value === end) return
    if (value === undefined) throw new DatabaseError('the file was cut off on its way')
    const read = JSON.parse(value) as StatementEvent[] | { failed: string }
    if ('failed' in read) throw new DatabaseError(read.failed)
    yield read
  }
}

async function* readLines(connection: Socket): AsyncGenerator<string, undefined> {
  let rest = ''
  connection.setEncoding('utf8')
  // The answer is sent on the same connection after the last line.
  for await (const chunk of connection.iterator({ destroyOnReturn: false })) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
  return undefined
}

/**
 * Sends a command, and what follows it, no faster than it is taken. Where that cannot be read to its
 * end, it says so instead and throws. Ends also when the connection is destroyed.
 */
export async function writeOrder(
  connection: Socket,
  command: object,
  events: Events | undefined,
): Promise<void> {
  const closing = new AbortController()
  connection.once('close', () => closing.abort())
  const write = async (line: object) => {
    if (connection.write(`${JSON.stringify(line)}\n`)) return
    await once(connection, 'drain', { signal: closing.signal })
  }
  try {
    await write(command)
    for await (const batch of events ?? []) {
      if (batch.length > 0) await write(batch)
    }
  } catch (error) {
    connection.end(`${JSON.stringify({ failed: (error as Error).message })}\n`)
    throw error
  }
  connection.end(`${end}\n`)
}
