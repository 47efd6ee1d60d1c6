import { inLanguages as codeOf } from '../../texts/in-language.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

const languages: Readonly<Record<string, Texts>> = { de, en }

/** The words in a language, or else in English. */
export const inLanguage = (code: string): Texts => languages[code] ?? en

/** The words in the first known language of a header `Accept-Language`, or else in English. */
export const inLanguages = (header: string): Texts => inLanguage(codeOf(header).code)
