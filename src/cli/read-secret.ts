import { readText } from './input.ts'
import { UsageError } from './usage-error.ts'

/** A secret of a variable, or of the file that the variable with `_FILE` names. */
export async function readSecretOf(name: string): Promise<string | undefined> {
  const { [name]: own, [`${name}_FILE`]: file } = process.env
  if (!file) return own || undefined
  if (own) throw new UsageError(`${name} and ${name}_FILE cannot be used together`)
  const text = (await readText(file)).trim()
  if (text === '') throw new UsageError(`${name}_FILE: ${file} is empty`)
  return text
}

/** The address of a service, without a slash at its end; `name` is that of the option or variable. */
export function readBase(name: string, text: string | undefined): string {
  const url = text === undefined ? undefined : URL.parse(text)
  const isBase = url && /^https?:$/.test(url.protocol) && !url.username && !url.password
  if (!isBase || url.search || url.hash) {
    throw new UsageError(`${name} must be an http or https URL without credentials`)
  }
  return url.href.replace(/\/+$/, '')
}
