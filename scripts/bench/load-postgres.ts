import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import postgres from 'postgres'
import type { Value } from '../../src/server/kernel/database.ts'
import type { Sink } from './load-sink.ts'
import { itemTables } from './load-template.ts'

/** How many rows go to the server in one piece. */
const atOnce = 50

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** A value as `copy` reads it. */
function toField(value: Value): string {
  if (value === null) return '\\N'
  const text = String(value)
  return /[\\\n\r\t]/.test(text)
    ? text.replaceAll(/[\\\n\r\t]/g, (sign) => escapes[sign] ?? sign)
    : text
}

const toLine = (row: readonly Value[]): string => `${row.map(toField).join('\t')}\n`

/** Writes into a server's database with `copy`. */
export async function openServer(url: string): Promise<Sink> {
  const connection = { synchronous_commit: 'off' } as object
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection })
  return {
    async write(table, columns, rows) {
      const stream = await sql.unsafe(`copy ${table} (${columns.join(', ')}) from stdin`).writable()
      const isDone = finished(stream)
      for (let done = 0; done < rows.length; done += atOnce) {
        const piece = rows
          .slice(done, done + atOnce)
          .map(toLine)
          .join('')
        if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), isDone])
      }
      stream.end()
      await isDone
    },
    async close() {
      // As a server does by itself after a while.
      for (const table of itemTables) await sql.unsafe(`vacuum (analyze) ${table}`)
      await sql.end()
    },
  }
}
