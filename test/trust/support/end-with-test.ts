import { onTestFinished, TestRunner } from 'vitest'

/** Has something ended with the running test, however that ends; outside of one, who began it does. */
export function endWithTest(end: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(end)
}

/** The same end for whoever asks first, and for those who ask again. */
export function once(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined
  return () => {
    ended ??= end()
    return ended
  }
}
