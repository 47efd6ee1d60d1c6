import { join } from '../contract/words.ts'

/** `1 change`, `2 changes` */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`

export const everyType = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** `a string or null` */
export const typeWords = (types: string[]): string => {
  if (types.length === 0 || everyType.every((type) => types.includes(type))) return 'anything'
  const articles = (type: string) =>
    type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
  return join(types.map(articles), 'or')
}
