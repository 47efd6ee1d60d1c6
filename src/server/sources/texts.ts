/** What spellings of a word have in common: no case, no accents, and `ue` as one writes `ü`. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/([aou])e/g, '$1')

/** The words of a text of a bank, as they are compared. */
export const wordsOf = (text: string): readonly string[] =>
  plain(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether two texts may be of one booking: formats cut texts short, break them, or add words. */
export const areRelated = (one: readonly string[], other: readonly string[]): boolean =>
  isPart(one, other) || isPart(other, one) || (one.length > 0 && one.join('') === other.join(''))

/** Whether a text has every word of another one, which has at least one. */
const isPart = (part: readonly string[], whole: readonly string[]): boolean =>
  part.length > 0 && part.every((word) => whole.some((each) => isWord(word, each)))

/** Numbers are not cut short: 10 and 1001 are different invoices. */
const isWord = (word: string, whole: string): boolean =>
  word === whole ||
  (word.length >= leastLetters && /^\p{L}+$/u.test(word) && whole.startsWith(word))

/** Shorter words start too many others. */
const leastLetters = 3
