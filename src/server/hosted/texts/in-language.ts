import { de } from './de.ts'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

const languages: Readonly<Record<string, Texts>> = { de, en }

/** The words in the language of a link token, or else in English. */
export const inLanguage = (code: string): Texts => languages[code] ?? en
