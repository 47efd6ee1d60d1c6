import { parentPort, workerData } from 'node:worker_threads'
import { ContentError } from '../yaml/content-error.ts'
import type { Outcome } from './read-in-worker.ts'
import { readInstitutions } from './read-institutions.ts'

// Reads a file of institutions beside the thread that answers requests.

const { file, bytes } = workerData as { file: string; bytes: Uint8Array }
const outcome = await readInstitutions(file, bytes, process.env).then(
  (list): Outcome => ({ list }),
  (error: unknown): Outcome => {
    if (error instanceof ContentError) return { problems: error.problems }
    throw error
  },
)
parentPort?.postMessage(outcome)
