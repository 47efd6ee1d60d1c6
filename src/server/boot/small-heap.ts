/** How small V8's heap is kept. */
interface HeapLimits {
  /** Of both halves of the young generation, in bytes. */
  mostYoung: number
  /** By how much the old generation grows before it is collected, in percent of what is used. */
  growth: number
  /** From which size on free pages are returned under load, in bytes of the heap. */
  returnedFrom: number
}

/** Of the machine, or of the container. */
const smallMemory = 1_073_741_824
const onSmallMachine: HeapLimits = { mostYoung: 16_000_000, growth: 50, returnedFrom: 64_000_000 }
// With the limits of a small machine a call takes up to a fifth more CPU, and memory is 20 MB less.
// The collection that returns pages takes 70 to 110 ms, which is worth it from some size on.
const usual: HeapLimits = { mostYoung: 32_000_000, growth: 75, returnedFrom: 112_000_000 }
const checkMs = 50

/** The limits for a process that has so many bytes of memory. */
export const heapLimitsFor = (memory: number): HeapLimits =>
  memory <= smallMemory ? onSmallMachine : usual

/** The limits for this process. */
export const heapLimits = (): HeapLimits => heapLimitsFor(memoryHere())

/** By how much V8 enlarges the young generation, as much as it holds having survived. */
const youngGrowth = {
  none: '--semi-space-growth-factor=1',
  usual: '--semi-space-growth-factor=2',
}

/**
 * Keeps V8's heap small, from now to the end of the process. By itself, V8 doubles the young generation
 * up to 128 MB whenever as much as it holds has survived, however long that took, and lets the old one
 * grow to four times of what is used.
 *
 * It sets flags of the whole process, hence programs call this, and the library for tests does not.
 */
export function keepHeapSmall(): void {
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { mostYoung, growth } = heapLimits()
  setFlagsFromString(`--heap-growing-percent=${growth}`)
  // While one task takes long, as where seed data is stored, nothing can look at the size.
  setFlagsFromString(youngGrowth.none)
  let mayGrow = false
  setInterval(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    const could = mayGrow
    mayGrow = (young?.space_size ?? 0) < mostYoung
    if (mayGrow !== could) setFlagsFromString(mayGrow ? youngGrowth.usual : youngGrowth.none)
  }, checkMs).unref()
}

/** The bytes of memory that this process may use. Without a limit Node tells 0, or more than there is. */
function memoryHere(): number {
  const { totalmem } = process.getBuiltinModule('node:os')
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
