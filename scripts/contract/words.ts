/** `a`, `a and b`, `a, b and c`. */
export function join(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

export const code = (value: unknown): string => `\`${value}\``

/** Names in backticks, joined. */
export const codes = (names: readonly unknown[], last: 'and' | 'or' = 'and'): string =>
  join(
    names.map((name) => code(name)),
    last,
  )
