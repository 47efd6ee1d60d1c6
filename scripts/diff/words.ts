/** `a, b or c` */
export function list(words: string[], conjunction: 'and' | 'or'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`
}

/** Names in backticks, `a and b`. */
export const codes = (names: string[], conjunction: 'and' | 'or' = 'and'): string =>
  list(
    names.map((name) => `\`${name}\``),
    conjunction,
  )

/** `1 change`, `2 changes` */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`

export const everyType = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** `a string or null` */
export const typeWords = (types: string[]): string => {
  if (types.length === 0 || everyType.every((type) => types.includes(type))) return 'anything'
  const articles = (type: string) =>
    type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
  return list(types.map(articles), 'or')
}
