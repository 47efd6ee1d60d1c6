import { type ParseArgsConfig, parseArgs } from 'node:util'
import { hintOf } from './nearest.ts'

/** The options of a command, by the names of their flags. */
export type FlagOptions = NonNullable<ParseArgsConfig['options']>

// Flags are few, so that three letters tell which one was meant.
const shortestFlag = 3

/** Reads flags and positionals; throws what `toError` makes of the one line that says what is wrong. */
export function readArguments<const Config extends ParseArgsConfig>(
  config: Config,
  toError: (message: string) => Error,
) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw toError(explain(error as Error, Object.keys(config.options ?? {})))
  }
}

/** Without the advice on positionals that look like flags, and with the flag that was meant. */
function explain({ message }: Error, flags: readonly string[]): string {
  const [sentence = message] = message.split(/\.\s/)
  const unknown = /^Unknown option '--([^']*)'$/.exec(sentence)?.[1]
  if (unknown === undefined) return sentence
  return `${sentence}${hintOf(unknown, flags, shortestFlag).replace('mean ', 'mean --')}`
}
