import { escapeLines } from '../control-characters.ts'

/** Prints lines on standard error; of a text that others wrote, nothing steers the terminal. */
export function tellError(text: string): void {
  console.error(escapeLines(text))
}
