import type { Service } from '../kernel/service.ts'
import { noteLastUsed } from './last-used.ts'

/** Fine enough for a start that asks whether a day is missing. */
const everyMs = 600_000

/** Stores regularly when the data was last used, unless the clock has jumped. */
export function keepLastUsed(service: Service): { stop(): Promise<unknown> } {
  const note = () =>
    noteLastUsed(service.database, service.clock()).catch((error) =>
      // On a full disk the service still starts, and reads work.
      service.log.error(error, 'it could not be noted that the data is in use'),
    )
  let latest: Promise<unknown> = note()
  const timer = setInterval(() => {
    if (service.clockGuard.isRight()) latest = note()
  }, everyMs)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return latest
    },
  }
}
