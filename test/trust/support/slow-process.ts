import { Worker } from 'node:worker_threads'

/** What the thread that stops a process is told; `ended` holds 1 when it is over. */
export interface Slowing {
  pid: number
  stoppedMs: number
  runningMs: number
  ended: Int32Array
}

const periodMs = 50

/**
 * Lets a process run for a part of the time only, as on a machine that is that much slower: so few
 * connections are enough to ask more of it than it can answer. Returns what ends that. A thread of
 * its own keeps the time: late timers of a busy one would give the process less than its share.
 */
export function slowDown(pid: number, share: number): () => void {
  const ended = new Int32Array(new SharedArrayBuffer(4))
  const workerData: Slowing = {
    pid,
    stoppedMs: periodMs * (1 - share),
    runningMs: periodMs * share,
    ended,
  }
  const worker = new Worker(new URL('./slow-process-worker.ts', import.meta.url), { workerData })
  worker.unref()
  return () => {
    Atomics.store(ended, 0, 1)
    Atomics.notify(ended, 0)
  }
}
