import { de } from './de.ts'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

const languages: Readonly<Record<string, Texts>> = { de, en }

/** The words in the language of a link token, or else in English. */
export const inLanguage = (code: string): Texts => languages[code] ?? en

/** The words in the first known language of a header `Accept-Language`, or else in English. */
export function inLanguages(header: string): Texts {
  const codes = header.split(',').map((one) => one.trim().slice(0, 2).toLowerCase())
  const known = codes.find((code) => Object.hasOwn(languages, code))
  return inLanguage(known ?? 'en')
}
