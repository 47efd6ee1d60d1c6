import type { en } from './en.ts'

/** The words of the page in one language: a missing text does not compile. */
export type Texts = typeof en
