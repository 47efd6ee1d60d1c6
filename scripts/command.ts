/** Whether a script was started, and not imported; give it `import.meta.filename`. */
export const isMain = (file: string): boolean => process.argv[1] === file

/** Runs a script: an error is shown in one line, and the exit code tells whether all is well. */
export async function runCommand(main: () => boolean | Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await main()) ? 0 : 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
