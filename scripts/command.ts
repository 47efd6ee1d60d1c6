import { type FlagOptions, readArguments } from '../src/arguments.ts'

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

class ArgumentError extends Error {}

const help = { help: { type: 'boolean', short: 'h' } } as const

/**
 * Reads the arguments of a script, before it does anything. `--help` prints its usage and ends the process, with
 * 0. A wrong argument ends it with 2 and one line. `most` is how many arguments may stand beside the options.
 */
export function takeArguments<const Options extends FlagOptions>(
  usage: string,
  most = 0,
  own = {} as Options,
) {
  const options: Options & typeof help = { ...own, ...help }
  const toError = (message: string) => new ArgumentError(`${message}; see --help`)
  try {
    const { values, positionals } = readArguments({ options, allowPositionals: true }, toError)
    const [tooMany] = positionals.slice(most)
    if (tooMany !== undefined) throw toError(`unexpected argument '${tooMany}'`)
    if (!('help' in values)) return { values, positionals }
    console.log(usage)
    process.exit(0)
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    reject(error.message)
  }
}

/** Ends the process for a wrong argument, before any work, as {@link takeArguments} does. */
export function reject(message: string): never {
  console.error(message)
  process.exit(2)
}
