import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** Reads the arguments of a command; what is unknown or malformed is one line. */
export function readOptions<const Spec extends Options>(args: string[], options: Spec) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const { message } = error as Error
    // What follows the first sentence is advice on how to pass a positional that looks like a flag.
    throw new UsageError(message.split(/\.\s/)[0])
  }
}

/** A number of seconds, if one is given. */
export function readSeconds(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new UsageError(`--${flag} must be a whole number of seconds`)
  return Number(text)
}
