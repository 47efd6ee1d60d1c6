import { stopAll } from './processes.ts'

/** Has a signal clear what the programs leave, end those that still run, and then end this process. */
export function clearOnSignal(clear: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      // Not the other way round: what waits for a program would begin to clear as well, and not be waited for.
      void clear()
        .finally(stopAll)
        .finally(() => process.exit(130))
    })
  }
}
