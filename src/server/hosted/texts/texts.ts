import type { en } from './en.ts'

/** The words of the hosted pages in one language: a missing text does not compile. */
export type Texts = typeof en

/** The words of the frame that all hosted pages share. */
export type FrameTexts = Pick<Texts, 'code' | 'shared'>
