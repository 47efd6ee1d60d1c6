/** Prints each mistake, and tells whether there is none. */
export function tell(mistakes: string[]): boolean {
  for (const line of mistakes) console.error(line)
  return mistakes.length === 0
}
