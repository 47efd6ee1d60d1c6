/** What is read and done of the process. */
interface Runtime {
  /** The share of the time since the last call in which the event loop was busy, from 0 to 1. */
  utilization(): number
  /** The size of V8's heap, in bytes. */
  heap(): number
  /** Collects all garbage at once. */
  collect(): void
}

const checkMs = 1000
/** Reading the metrics of a slow machine takes several percent of a second. */
const idleUtilization = 0.1
/** In a shorter pause between two loads the heap would only shrink in order to grow again. */
const idleChecks = 30
/** The collection discards optimized code too: it has to be worth a second of slower requests. */
const leastHeap = 100_000_000

/**
 * Lets V8 return memory to the system when the service has become idle. V8 has a task for that
 * (the memory reducer), which it puts off while the allocation rate is high. An idle process
 * allocates nothing in the old generation, V8 13 takes a rate of 0 for an unknown one, and so the
 * task is put off for as long as the process is idle.
 *
 * It uses a flag of the whole process, hence `serve` calls this, and the library for tests does not.
 */
export function releaseIdleMemory(): void {
  setInterval(watchIdleness(thisProcess()), checkMs).unref()
}

/** One check, to be made at regular intervals. */
export function watchIdleness(runtime: Runtime): () => void {
  let idleFor = 0
  return () => {
    idleFor = runtime.utilization() < idleUtilization ? idleFor + 1 : 0
    if (idleFor === idleChecks && runtime.heap() >= leastHeap) runtime.collect()
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
    // Not of `process.memoryUsage()`, which opens a file, and throws where too many are open.
    heap: () => process.getBuiltinModule('node:v8').getHeapStatistics().total_heap_size,
    collect: collectGarbage,
  }
}

/** With a low allocation rate this shrinks the young generation as well. */
function collectGarbage(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { runInNewContext } = process.getBuiltinModule('node:vm')
  // The flag counts for contexts that are created while it is set.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('globalThis.gc') as (() => void) | undefined
  setFlagsFromString('--no-expose-gc')
  collect?.()
}
