import { isCountry } from '../../kernel/countries.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const lists = new Map<string, readonly { value: string; text: string }[]>()

/** All countries by their names in a language. The names take long to load, so they are kept. */
export function countriesIn(language: string): readonly { value: string; text: string }[] {
  const known = lists.get(language)
  if (known) return known
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const list = codes
    .filter(isCountry)
    .map((value) => ({ value, text: names.of(value) ?? value }))
    .sort((one, other) => one.text.localeCompare(other.text, language))
  lists.set(language, list)
  return list
}

/** The name of a country in a language. */
export const countryName = (language: string, code: string): string =>
  countriesIn(language).find(({ value }) => value === code)?.text ?? code
