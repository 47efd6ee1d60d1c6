/** Of both halves of the young generation, in bytes. With more, an import is hardly faster. */
const mostYoung = 32_000_000
const checkMs = 20

/** How V8's heap grows, small and as V8 does it by itself. */
const growth = {
  // What has died in the old generation is collected when it takes as much as what is used.
  old: { small: '--heap-growing-percent=100', usual: '--heap-growing-percent=0' },
  young: { small: '--semi-space-growth-factor=1', usual: '--semi-space-growth-factor=2' },
}

let users = 0

/**
 * Keeps V8's heap small while `work` runs, which needs little of it at a time, but for long. V8 doubles
 * the young generation up to 128 MB whenever as much as it holds has survived, however long that took,
 * and lets the old one grow to four times of what is used.
 *
 * It sets flags of the whole process. A young generation that is larger already stays as it is.
 */
export async function withSmallHeap<Result>(work: () => Promise<Result>): Promise<Result> {
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8')
  const isLarge = () =>
    getHeapSpaceStatistics().some(
      ({ space_name, space_size }) => space_name === 'new_space' && space_size >= mostYoung,
    )
  const timer = setInterval(() => {
    if (!isLarge()) return
    setFlagsFromString(growth.young.small)
    clearInterval(timer)
  }, checkMs).unref()
  users += 1
  setFlagsFromString(growth.old.small)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    users -= 1
    if (users === 0) for (const { usual } of Object.values(growth)) setFlagsFromString(usual)
  }
}
