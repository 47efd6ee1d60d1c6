import { type FlagOptions, readArguments } from '../arguments.ts'
import { hasControls } from '../control-characters.ts'
import { UsageError } from './usage-error.ts'

/** Reads the arguments of a command; what is unknown or malformed is one line. */
export const readOptions = <const Spec extends FlagOptions>(args: string[], options: Spec) =>
  readArguments(
    { args: joinNegative(args, options), options, allowPositionals: true },
    (message) => new UsageError(message),
  )

/** A negative number after an option that takes a text is its value, and no option. */
function joinNegative(args: readonly string[], options: FlagOptions): string[] {
  const joined: string[] = []
  let isOpen = true
  for (const arg of args) {
    const before = joined.at(-1) ?? ''
    const takesText = before.startsWith('--') && options[before.slice(2)]?.type === 'string'
    if (isOpen && takesText && /^-[.,]?\d/.test(arg)) joined[joined.length - 1] = `${before}=${arg}`
    else joined.push(arg)
    if (arg === '--') isOpen = false
  }
  return joined
}

/** A number of seconds, if one is given. */
export function readSeconds(
  flag: string,
  text: string | undefined,
  most = Number.POSITIVE_INFINITY,
): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new UsageError(`--${flag} must be a whole number of seconds`)
  const seconds = Number(text)
  if (seconds <= most) return seconds
  throw new UsageError(`--${flag} must be at most ${most} seconds (${most / 86400} days)`)
}

/** A name that is shown to people and programs, so without characters that steer a terminal. */
export function requirePlain(what: string, text: string | undefined): void {
  if (text === undefined || !hasControls(text)) return
  throw new UsageError(`${what} must have no control characters`)
}
