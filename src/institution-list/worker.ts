import { parentPort, workerData } from 'node:worker_threads'
import { ContentError } from '../yaml/content-error.ts'
import { withLoaded } from './connectors.ts'
import { loadConnectors } from './load-connectors.ts'
import type { Order, Outcome } from './read-in-worker.ts'
import { readInstitutions } from './read-institutions.ts'

// Reads a file of institutions beside the thread that answers requests.

const { file, bytes, modules } = workerData as Order
const connectors = withLoaded((await loadConnectors(modules)).values())
const outcome = await readInstitutions(file, bytes, process.env, connectors).then(
  (list): Outcome => ({ list }),
  (error: unknown): Outcome => {
    if (error instanceof ContentError) return { problems: error.problems }
    throw error
  },
)
parentPort?.postMessage(outcome)
