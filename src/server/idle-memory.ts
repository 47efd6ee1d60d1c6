/** What is read and set of the process. */
export interface Runtime {
  /** The share of the time since the last call in which the event loop was busy, from 0 to 1. */
  utilization(): number
  /** The size of V8's heap, in bytes. */
  heap(): number
  /** Whether V8 prefers a small heap over speed. */
  preferSmallHeap(isOn: boolean): void
}

const checkMs = 1000
/** Reading the metrics of a slow machine takes several percent of a second. */
const idleUtilization = 0.1
/** In a shorter pause between two loads the heap would only shrink in order to grow again. */
const idleChecks = 30
/** The collection discards optimized code too: it has to be worth a second of slower requests. */
const leastHeap = 100_000_000
/** V8 looks every eight seconds, and collects within one; the rest is for a busy machine. */
const smallChecks = 12

/**
 * Lets V8 return memory to the system when the service has become idle. V8 has a task for that
 * (the memory reducer), which it puts off while the allocation rate is high. An idle process
 * allocates nothing in the old generation, V8 13 takes a rate of 0 for an unknown one, and so the
 * task is put off for as long as the process is idle. `--optimize-for-size` skips that condition.
 * It is on for a few seconds in each idle period only: a request costs twice the CPU meanwhile.
 *
 * Flags are of the whole process, hence `serve` calls this, and the library for tests does not.
 */
export function releaseIdleMemory(): void {
  // Somebody who has set it on the command line has decided.
  if (process.execArgv.some((flag) => /optimize[-_]for[-_]size/.test(flag))) return
  setInterval(watchIdleness(thisProcess()), checkMs).unref()
}

/** One check, to be made at regular intervals. */
export function watchIdleness(runtime: Runtime): () => void {
  let idleFor = 0
  let isSmall = false
  return () => {
    idleFor = runtime.utilization() < idleUtilization ? idleFor + 1 : 0
    const wasSmall = isSmall
    if (idleFor === idleChecks) isSmall = runtime.heap() >= leastHeap
    else if (idleFor < idleChecks || idleFor === idleChecks + smallChecks) isSmall = false
    if (isSmall !== wasSmall) runtime.preferSmallHeap(isSmall)
  }
}

function thisProcess(): Runtime {
  const { performance } = process.getBuiltinModule('node:perf_hooks')
  let last = performance.eventLoopUtilization()
  return {
    utilization() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
    heap: () => process.memoryUsage().heapTotal,
    preferSmallHeap(isOn) {
      const { setFlagsFromString } = process.getBuiltinModule('node:v8')
      setFlagsFromString(isOn ? '--optimize-for-size' : '--no-optimize-for-size')
    },
  }
}
