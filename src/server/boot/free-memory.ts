/** What is read and done of the process. */
interface Runtime {
  /** The share of the time since the last call in which the event loop was busy, from 0 to 1. */
  utilization(): number
  /** The size of V8's heap, in bytes. */
  heap(): number
  /** Has free pages returned after the next full collection. */
  releaseSoon(): void
  /** Collects all garbage, and returns free pages, while nothing else runs. */
  collect(): void
}

const checkMs = 1000
/** Reading the metrics of a slow machine takes several percent of a second. */
const idleUtilization = 0.1
/** In a shorter pause between two loads the heap would only shrink in order to grow again. */
const idleChecks = 30
/** After a start. Its garbage is much, and there is no optimized code yet. */
const firstIdleChecks = 10
/** The collection discards optimized code too: it has to be worth a second of slower requests. */
const leastIdleHeap = 64_000_000
/** Once a second, collections that return pages would cost 13 % more CPU; so rarely, less than 1 %. */
const busyChecks = 20

/**
 * Returns memory to the system that V8 keeps. V8 frees pages when it collects garbage, and keeps them for
 * as long as the process lives. It returns them in one case, a collection by its memory reducer, which
 * does not run under load. Nor does it run after it: an idle process allocates nothing in the old
 * generation, and V8 13 takes this rate of 0 for an unknown one. After load that ends with a few requests
 * a second it does run, and ours then comes for nothing: nothing tells how many pages V8 keeps.
 *
 * It uses flags of the whole process, hence `serve` calls this, and the library for tests does not.
 */
export function returnFreeMemory(leastBusyHeap: number): void {
  setInterval(watchMemory(thisProcess(), leastBusyHeap), checkMs).unref()
}

/** One check, to be made at regular intervals. Under load, a heap below `leastBusyHeap` is left alone. */
export function watchMemory(runtime: Runtime, leastBusyHeap: number): () => void {
  let idleFor = 0
  let busyFor = 0
  let idleLimit = firstIdleChecks
  /** The greatest size since free pages were returned. What is no longer in use of it is kept. */
  let most = Number.POSITIVE_INFINITY
  return () => {
    const isIdle = runtime.utilization() < idleUtilization
    idleFor = isIdle ? idleFor + 1 : 0
    busyFor = isIdle ? busyFor : busyFor + 1
    most = Math.max(most, runtime.heap())
    if (idleFor === idleLimit && most >= leastIdleHeap) runtime.collect()
    else if (busyFor >= busyChecks && most >= leastBusyHeap) runtime.releaseSoon()
    else return
    busyFor = 0
    idleLimit = idleChecks
    most = 0
  }
}

export function thisProcess(): Runtime {
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
    releaseSoon,
    collect: collectGarbage,
  }
}

/**
 * V8 decides whether a collection returns pages when it begins to mark objects. With this flag it
 * does. The flag makes requests slower, so it is set for no longer. A collection that was marking
 * already returns nothing, so the flag stays for the next one.
 */
function releaseSoon(): void {
  const { constants, PerformanceObserver } = process.getBuiltinModule('node:perf_hooks')
  const { getHeapStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8')
  const kindOf = (entry: object) => (entry as { detail: { kind: number } }).detail.kind
  const sizeOfHeap = () => getHeapStatistics().total_heap_size
  const before = sizeOfHeap()
  let left = 2
  const observer = new PerformanceObserver((list) => {
    const kinds = list.getEntries().map(kindOf)
    if (!kinds.includes(constants.NODE_PERFORMANCE_GC_INCREMENTAL)) return
    left -= 1
    if (left === 0 || sizeOfHeap() < leastReturned * before) end()
  })
  const timer = setTimeout(() => end(), mostMarkingMs).unref()
  const end = () => {
    setFlagsFromString('--no-optimize-for-size')
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe({ entryTypes: ['gc'] })
  setFlagsFromString('--optimize-for-size')
}

/** A heap that is smaller than this part of what it was has returned pages. */
const leastReturned = 0.8
/** Under full load, marking begins within half a second; on a slow machine within five. */
const mostMarkingMs = 10_000

function collectGarbage(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { runInNewContext } = process.getBuiltinModule('node:vm')
  // The flag counts for contexts that are created while it is set.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('globalThis.gc') as typeof globalThis.gc
  setFlagsFromString('--no-expose-gc')
  // Other kinds of full collections return no pages.
  collect?.({ type: 'major', flavor: 'last-resort' })
}
