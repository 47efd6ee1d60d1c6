import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { originOf } from '../../statements/csv/origin.ts'
import { UnknownTable } from '../../statements/csv/table.ts'
import { readStatement } from '../../statements/read-statement.ts'
import { NoStatement } from '../../statements/statement.ts'
import { createSummary } from './read-summary.ts'
import { createStatementReader, type ReadStatement } from './statement-reader.ts'
import type { FromWorker, Question, WorkerInput } from './worker-messages.ts'

// Reads a bank's file beside the thread that answers requests.

/** How many statements are handed over together. */
const statementsAtOnce = 200

const port = parentPort
if (!port) throw new Error('this program runs in a worker thread')
const { formats, mapping } = workerData as WorkerInput
const answers = on(port, 'message')

/** Asks the service, and waits for its answer. */
async function ask(question: Question): Promise<unknown> {
  port?.postMessage(question)
  const { value = [] } = await answers.next()
  return value[0]
}

async function* readBytes(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const bytes = await ask({ kind: 'bytes' })
    if (!(bytes instanceof Uint8Array)) return
    yield bytes
  }
}

async function read(): Promise<FromWorker> {
  const { format, events } = await readStatement(readBytes(), mapping ? { mapping } : {})
  if (formats !== undefined && !formats.includes(format)) return { kind: 'format' }
  const stage = async (place: number, parts: readonly string[]) =>
    void (await ask({ kind: 'rows', place, parts }))
  const reader = createStatementReader(originOf(format, mapping), stage, true)
  const summary = createSummary()
  let ended: ReadStatement[] = []
  const handOver = async () => {
    if (ended.length === 0) return
    const statements = JSON.stringify(
      ended.map((one) => ({ ...one, currencies: [...one.currencies] })),
    )
    ended = []
    await ask({ kind: 'statements', statements })
  }
  const take = async (statements: readonly ReadStatement[]) => {
    for (const one of statements) ended.push(summary.add(one))
    if (ended.length >= statementsAtOnce) await handOver()
  }
  for await (const batch of events) {
    for (const event of batch) {
      summary.see(event)
      await take(await reader.take(event))
    }
  }
  await take(await reader.close())
  await handOver()
  return { kind: 'read', format, ...summary.end(reader.issues) }
}

const outcome = await read().catch((error: unknown): FromWorker => {
  if (error instanceof UnknownTable) {
    if (error.table) return { kind: 'columns', table: error.table }
    if (error.isEmpty) return { kind: 'empty' }
  }
  if (error instanceof NoStatement) return { kind: 'other', told: error.message }
  throw error
})
port.postMessage(outcome)
port.close()
