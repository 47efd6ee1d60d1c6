import { capital } from '../../data/words.ts'

/** A message of the service as a sentence: those of the verifier begin small and have no period. */
export const sentenceOf = (message: string): string =>
  message.endsWith('.') ? message : `${capital(message)}.`
