/** A choice between words in a pattern, such as `(debit|credit)`. */
const choice = /\((?:\?:)?([\w:.-]+(?:\|[\w:.-]+)*)\)/g

/** Whether a pattern is another one with more words in its choices: it accepts each text of the other. */
export function hasMoreWords(narrow: string, wide: string): boolean {
  if (narrow.replaceAll(choice, '()') !== wide.replaceAll(choice, '()')) return false
  const [fewer, more] = [choicesOf(narrow), choicesOf(wide)]
  return fewer.every((words, at) => words.every((word) => more[at]?.includes(word)))
}

const choicesOf = (pattern: string): string[][] =>
  [...pattern.matchAll(choice)].map(([, words = '']) => words.split('|'))
