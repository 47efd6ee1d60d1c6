import { type FlagOptions, readArguments } from '../arguments.ts'
import { UsageError } from './usage-error.ts'

/** Reads the arguments of a command; what is unknown or malformed is one line. */
export const readOptions = <const Spec extends FlagOptions>(args: string[], options: Spec) =>
  readArguments({ args, options, allowPositionals: true }, (message) => new UsageError(message))

/** A number of seconds, if one is given. */
export function readSeconds(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new UsageError(`--${flag} must be a whole number of seconds`)
  return Number(text)
}
