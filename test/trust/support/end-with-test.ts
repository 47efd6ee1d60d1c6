import { onTestFinished, TestRunner } from 'vitest'

/** Has something ended with the running test, however that ends; outside of one, who began it does. */
export function endWithTest(end: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(end)
}

/** Every caller awaits the same end. */
export function once(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined
  return () => {
    ended ??= end()
    return ended
  }
}
