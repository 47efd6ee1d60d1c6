/**
 * Normalizes a name or query for comparison: lower case, without accents, punctuation and common
 * words.
 */
export const toSearchName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** How many typing errors a word may have. */
const tolerance = (word: string): number => (word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0)

/**
 * The number of edits that turn `word` into a prefix of `candidate`. Swapping adjacent letters
 * counts as one. Undefined if the number exceeds the tolerance.
 */
export function wordDistance(word: string, candidate: string): number | undefined {
  const most = tolerance(word)
  if (most === 0) return candidate.startsWith(word) ? 0 : undefined
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: candidate.length + 1 }, (_, index) => index)
  for (let i = 1; i <= word.length; i += 1) {
    const row = nextRow(word, candidate, i, before, last)
    // A swap two rows later may still save one edit.
    if (Math.min(...row) > most + 1) return undefined
    before = last
    last = row
  }
  const distance = Math.min(...last)
  return distance > most ? undefined : distance
}

function nextRow(
  word: string,
  candidate: string,
  i: number,
  before: readonly number[],
  last: readonly number[],
): number[] {
  const row = [i]
  for (let j = 1; j <= candidate.length; j += 1) {
    const same = word[i - 1] === candidate[j - 1]
    const swapped = word[i - 1] === candidate[j - 2] && word[i - 2] === candidate[j - 1]
    const edit = Math.min(at(last, j - 1) + (same ? 0 : 1), at(last, j) + 1, at(row, j - 1) + 1)
    row[j] = swapped ? Math.min(edit, at(before, j - 2) + 1) : edit
  }
  return row
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY
