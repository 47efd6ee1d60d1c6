/** A name or query as searches compare it: lower case, without accents, punctuation and fillers. */
export const toSearchName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** How many slips of the keyboard a word may have. */
const tolerance = (word: string): number => (word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0)

/**
 * How far a typed name is from a real one: the slips over all words, or undefined when it is another
 * name. Words may come in any order, the last letters of each may be missing, and a space too many
 * or too few is one slip.
 */
export function typingDistance(typed: string, name: string): number | undefined {
  const byWords = wordsDistance(typed, name)
  const letters = typed.replaceAll(' ', '')
  const isSpacedApart = letters.length >= 4 && name.replaceAll(' ', '').includes(letters)
  return isSpacedApart ? Math.min(byWords ?? 1, 1) : byWords
}

function wordsDistance(typed: string, name: string): number | undefined {
  const words = name.split(' ')
  let total = 0
  for (const word of typed.split(' ')) {
    const best = Math.min(...words.map((candidate) => prefixDistance(word, candidate)))
    if (best > tolerance(word)) return undefined
    total += best
  }
  return total
}

/** The edits that make `word` the start of `candidate`; neighbouring letters swapped are one. */
function prefixDistance(word: string, candidate: string): number {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: candidate.length + 1 }, (_, index) => index)
  for (let i = 1; i <= word.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= candidate.length; j += 1) {
      const same = word[i - 1] === candidate[j - 1]
      const swapped = word[i - 1] === candidate[j - 2] && word[i - 2] === candidate[j - 1]
      const edits = [at(last, j - 1) + (same ? 0 : 1), at(last, j) + 1, at(row, j - 1) + 1]
      row[j] = Math.min(...edits, swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY)
    }
    before = last
    last = row
  }
  return Math.min(...last)
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY
