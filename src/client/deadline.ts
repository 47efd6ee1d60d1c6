import { TimeoutError } from './failures.ts'

/** The deadline of a call: its time limit, or the end of its signal. */
export interface Deadline {
  /** Aborts at the end, with the reason that the call rejects with. */
  signal: AbortSignal
  /** Milliseconds that are left. */
  left(): number
  /** What the promise comes to, unless the end comes first. */
  within<T>(promise: Promise<T>): Promise<T>
  sleep(milliseconds: number): Promise<void>
  /** Lets go of timer and listeners. */
  clear(): void
}

/** What timers can hold; a longer one would fire at once. */
const longest = 2 ** 31 - 1

/** Counts from now; a `fetch` that does not heed its signal cannot outlast it either. */
export function startDeadline(
  operationId: string,
  timeout: number,
  signal?: AbortSignal,
): Deadline {
  const limit = timeout > 0 && timeout <= longest ? timeout : Infinity
  const start = performance.now()
  const own = new AbortController()
  const end = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason))
  })
  end.catch(() => {})
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const follow = () => own.abort(signal?.reason)
  if (limit !== Infinity) {
    timers.add(setTimeout(() => own.abort(new TimeoutError(operationId, limit)), limit))
  }
  if (signal?.aborted) follow()
  else if (signal) followersOf(signal).add(follow)
  const within = <T>(promise: Promise<T>) => Promise.race([promise, end])
  return {
    signal: own.signal,
    left: () => limit - (performance.now() - start),
    within,
    sleep: (milliseconds) =>
      within(new Promise((awake) => timers.add(setTimeout(awake, milliseconds)))),
    clear() {
      if (signal) followersOf(signal).delete(follow)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

const followers = new WeakMap<AbortSignal, Set<() => void>>()

/** What a signal ends. It has one listener for all calls, since Node warns of more than ten. */
function followersOf(signal: AbortSignal): Set<() => void> {
  const known = followers.get(signal)
  if (known) return known
  const added = new Set<() => void>()
  followers.set(signal, added)
  signal.addEventListener('abort', () => {
    for (const follow of added) follow()
  })
  return added
}
