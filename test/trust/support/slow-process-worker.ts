import { workerData } from 'node:worker_threads'
import type { Slowing } from './slow-process.ts'

const { pid, stoppedMs, runningMs, ended } = workerData as Slowing

// Ends after SIGCONT, whenever it is told to.
try {
  while (Atomics.load(ended, 0) === 0) {
    process.kill(pid, 'SIGSTOP')
    Atomics.wait(ended, 0, 0, stoppedMs)
    process.kill(pid, 'SIGCONT')
    Atomics.wait(ended, 0, 0, runningMs)
  }
} catch (error) {
  // The process has ended meanwhile.
  if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
}
