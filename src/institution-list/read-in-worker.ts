import { Worker } from 'node:worker_threads'
import { ContentError } from '../yaml/content-error.ts'
import type { Problem } from '../yaml/problems.ts'
import type { ReadInstitutions } from './read-institutions.ts'

/** What the worker reads. */
export interface Order {
  file: string
  bytes: Uint8Array
  /** The modules of connectors that an option loads. */
  modules: readonly string[]
}

/** What the worker answers. */
export type Outcome = { list: ReadInstitutions } | { problems: readonly Problem[] }

/**
 * Reads a file of institutions in a thread of its own. One of ten thousand takes more than a second,
 * in which no request would be answered, and hundreds of MB, which go with the thread.
 * @throws ContentError with every mistake
 */
export async function readInWorker(program: string, order: Order): Promise<ReadInstitutions> {
  const worker = new Worker(program, { workerData: order })
  const outcome = await new Promise<Outcome>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the reader of institutions ended early')))
  })
  if ('problems' in outcome) throw new ContentError(outcome.problems)
  return outcome.list
}
