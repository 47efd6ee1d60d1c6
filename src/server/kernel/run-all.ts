/**
 * Runs each step after the one before it, whatever fails, and then fails with the first failure: what
 * is closed must not stay open because something before it could not be closed.
 */
export async function runAll(...steps: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
