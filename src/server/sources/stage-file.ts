import { Worker } from 'node:worker_threads'
import type { CsvMapping } from '../../../generated/statements/types.ts'
import { statementsWorker } from '../kernel/files.ts'
import type { Keys } from '../kernel/keys.ts'
import type { Service } from '../kernel/service.ts'
import { StagedGone } from './read-staged.ts'
import { insertStaged, listStaged, type StagedPart } from './staged-row-store.ts'
import type { FromWorker, Question, WorkerInput } from './worker-messages.ts'

/** The part of a staged file that holds its statements, beside the one that holds their rows. */
export const statementsOf = (importId: string): string => `${importId}/statements`

/** The same of the bytes of a file whose columns the person has to name. */
export const bytesOf = (importId: string): string => `${importId}/bytes`

/** A reader that needs more has met a file that was made to need it. */
const mostHeapMb = 256

interface Staging {
  service: Pick<Service, 'database' | 'keys' | 'clock'>
  client_id: string
  import_id: string
  formats: readonly string[] | undefined
  mapping?: CsvMapping
}

/**
 * Reads a bank's file in a thread of its own, and stages its rows and statements. One of 50 MB takes
 * seconds, in which no request would be answered.
 */
export async function stageFile(
  staging: Staging,
  bytes: AsyncIterable<Uint8Array>,
): Promise<FromWorker> {
  const { formats, mapping } = staging
  const workerData: WorkerInput = { formats, mapping }
  const worker = new Worker(statementsWorker, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
  })
  const answer = createAnswers(staging, bytes)
  try {
    return await new Promise<FromWorker>((resolve, reject) => {
      worker.on('message', (message: Question | FromWorker) => {
        if (!isQuestion(message)) return resolve(message)
        answer(message).then((said) => worker.postMessage(said), reject)
      })
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the reader of a file ended early')))
    })
  } finally {
    await worker.terminate()
  }
}

const isQuestion = (message: Question | FromWorker): message is Question =>
  ['bytes', 'rows', 'statements'].includes(message.kind)

function createAnswers(
  { service, client_id, import_id }: Staging,
  bytes: AsyncIterable<Uint8Array>,
): (question: Question) => Promise<Uint8Array | null> {
  const { database, keys, clock } = service
  const pieces = bytes[Symbol.asyncIterator]()
  let statements = 0
  const stage = async (parts: readonly Omit<StagedPart, 'client_id' | 'staged_at'>[]) => {
    const staged_at = clock()
    const rows = parts.map((part) => ({ ...part, client_id, staged_at }))
    await database.transaction((db) => insertStaged(db, rows), { isolation: 'row' })
    return null
  }
  return async (question) => {
    if (question.kind === 'bytes') {
      const { value, done } = await pieces.next()
      return done ? null : value
    }
    if (question.kind === 'rows') {
      const { place, parts } = question
      return stage(parts.map((rows, index) => ({ import_id, place: place + index, rows })))
    }
    const place = statements
    statements += 1
    const rows = seal(keys, question.statements)
    return stage([{ import_id: statementsOf(import_id), place, rows }])
  }
}

/** Much smaller than a file, and few enough of them. */
const pieceBytes = 256 * 1024

/** Stages the bytes of a file, sealed: the numbers of accounts stand in them. */
export async function stageBytes(
  { service, client_id, import_id }: Omit<Staging, 'formats'>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  let place = 0
  let waiting: Uint8Array[] = []
  let size = 0
  const write = async () => {
    const rows = seal(service.keys, Buffer.concat(waiting).toString('latin1'))
    const part = { client_id, import_id: bytesOf(import_id), place, rows }
    await service.database.transaction(
      (db) => insertStaged(db, [{ ...part, staged_at: service.clock() }]),
      { isolation: 'row' },
    )
    place += 1
    waiting = []
    size = 0
  }
  for await (const piece of bytes) {
    waiting.push(piece)
    size += piece.length
    if (size >= pieceBytes) await write()
  }
  if (size > 0) await write()
}

/** The bytes again. @throws StagedGone where they were deleted for their age */
export async function* readBytes({
  service,
  client_id,
  import_id,
}: Omit<Staging, 'formats'>): AsyncGenerator<Uint8Array> {
  const id = { client_id, import_id: bytesOf(import_id) }
  for (let place = 0; ; place += 1) {
    const [part] = await service.database.read((db) =>
      listStaged(db, id, { from: place, before: place + 1 }),
    )
    if (!part && place === 0) throw new StagedGone('the staged bytes of a file are gone')
    if (!part) return
    yield Buffer.from(service.keys.decrypt(part.rows), 'latin1')
  }
}

/** Numbers of accounts and names of owners stand in them. */
const seal = (keys: Pick<Keys, 'encrypt'>, text: string): string => keys.encrypt(text)
