import { options } from './options.ts'

/** One wrong option, in one line. */
export class ConfigError extends Error {}

/** Reads an option by its variable, from a flag or from the environment. */
export type Read = (variable: string) => string | undefined

/** Rejects an option. */
export function fail(message: string): never {
  throw new ConfigError(message)
}

/** The name of an option in messages. */
export function nameOf(variable: string): string {
  const flag = options.find((option) => option.variable === variable)?.flag
  return flag ? `--${flag} (${variable})` : variable
}

/** True or false; false by default. */
export function readSwitch(read: Read, variable: string): boolean {
  const value = read(variable)
  if (value === undefined || ['0', 'false'].includes(value)) return false
  if (['1', 'true'].includes(value)) return true
  return fail(`${nameOf(variable)} must be true or false`)
}

/** A whole number, from 0 on unless there is another minimum. */
export function readNumber(
  read: Read,
  variable: string,
  byDefault: number,
  maximum: number,
  minimum = 0,
): number {
  const value = read(variable)
  if (value === undefined) return byDefault
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number
  return fail(`${nameOf(variable)} must be a whole number from ${minimum} to ${maximum}`)
}

/** One of a few words. */
export function oneOf<Choice extends string>(
  read: Read,
  variable: string,
  choices: readonly Choice[],
  byDefault: Choice,
): Choice {
  const value = read(variable)
  if (value === undefined) return byDefault
  const choice = choices.find((candidate) => candidate === value)
  return choice ?? fail(`${nameOf(variable)} must be one of: ${choices.join(', ')}`)
}

/** The base of addresses, without a slash at its end. */
export function readUrl(read: Read, variable: string): string | undefined {
  const value = read(variable)
  if (value === undefined) return undefined
  if (!isAddress(value)) fail(`${nameOf(variable)} must be an http or https address`)
  if (!isBase(value)) fail(`${nameOf(variable)} must end with its host or a path`)
  return withoutSlash(value)
}

export const isAddress = (value: string): boolean =>
  /^https?:\/\/[^/\s]+/.test(value) && URL.canParse(value)

/** Whether paths can be put behind an address. */
export const isBase = (address: string): boolean => !/[?#@]/.test(address)

export const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

/** Names with commas between them. */
export const namesIn = (text: string): string[] =>
  text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))

/** A list in a form of its own, such as hosts. */
export function readList(
  read: Read,
  variable: string,
  parse: (text: string) => readonly string[] | undefined,
  form: string,
): readonly string[] {
  const value = read(variable)
  if (value === undefined) return []
  return parse(value) ?? fail(`${nameOf(variable)} must be ${form}`)
}

// Seed data is generated for each day since its date, and some of its dates are years ahead.
const earliestDate = '1990-01-01'

const latestDate = '2999-12-31'

/** A day, YYYY-MM-DD. */
export function readDate(read: Read, variable: string): string | undefined {
  const value = read(variable)
  if (value === undefined) return undefined
  const date = new Date(`${value}T00:00:00Z`)
  const real = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || !real) {
    fail(`${nameOf(variable)} must be a date, YYYY-MM-DD`)
  }
  if (value < earliestDate || value > latestDate) {
    fail(`${nameOf(variable)} must be from ${earliestDate} to ${latestDate}`)
  }
  return value
}
