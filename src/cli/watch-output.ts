/** Notes when standard output cannot be written, and says so at the end: what it lost may be a secret. */
export function watchOutput(): { isFailure(error: unknown): boolean } {
  let failure: NodeJS.ErrnoException | undefined
  process.stdout.on('error', (error) => {
    failure ??= error
  })
  process.on('exit', () => {
    // A reader such as `head` has read what it needs.
    if (failure === undefined || failure.code === 'EPIPE') return
    console.error(
      `standard output cannot be written (${failure.code}): what was to be printed is lost`,
    )
    process.exitCode = 1
  })
  return { isFailure: (error) => error !== undefined && error === failure }
}
