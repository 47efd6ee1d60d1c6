import * as checks from '../../../src/validators/formats.ts'
import { mistake, type Rule, type Source } from './shared.ts'

/** Reports what a function finds wrong with a keyword, wherever in a schema it stands. */
const eachKeyword =
  (
    keyword: string,
    problemOf: (value: unknown, schema: Record<string, unknown>) => string | undefined,
  ): Rule =>
  (sources) =>
    [...sources.values()].filter(isOfSchemas).flatMap((source) =>
      source.objects
        .filter(({ way, object }) => keyword in object && way.at(-1) !== 'properties')
        .flatMap(({ way, object }) => {
          const problem = problemOf(object[keyword], object)
          return problem ? [mistake(source, [...way, keyword], problem)] : []
        }),
    )

const isOfSchemas = ({ file }: Source): boolean =>
  /\/(components|paths|webhooks|versions)\//.test(file) && !file.endsWith('redocly.yaml')

/** Where most values of an enum are described, all are; a few may be the only ones that need words. */
export const enumWords: Rule = eachKeyword('x-enumDescriptions', (words, { enum: values }) => {
  if (!Array.isArray(values) || typeof words !== 'object' || words === null) return undefined
  const described = Object.keys(words)
  const missing = values.map(String).filter((value) => !described.includes(value))
  const unknown = described.filter((name) => !values.map(String).includes(name))
  if (missing.length > 0 && missing.length < values.length / 2)
    return `\`x-enumDescriptions\` must describe ${missing.join(', ')} as well`
  return unknown.length > 0
    ? `\`x-enumDescriptions\` describes ${unknown.join(', ')}, no value of \`enum\``
    : undefined
})

/** Each property says what it holds. */
export const emptyProperties: Rule = eachKeyword('properties', (fields) => {
  const empty = Object.entries(fields ?? {}).filter(([, field]) => field === null)
  return empty.length > 0 ? `\`${empty[0]![0]}\` needs a schema, and is empty` : undefined
})

/** A format that no validator knows would be checked by none. */
export const formats: Rule = eachKeyword('format', (format, { type }) => {
  // Beside no type it is a field of that name, in an example.
  if (type === undefined || known.has(String(format))) return undefined
  return `\`format\` must be one of ${[...known].sort().join(', ')}`
})

const known = new Set(Object.keys(checks).map((name) => (name === 'dateTime' ? 'date-time' : name)))

/** A pattern is a regular expression whose work grows with the length of a text only. */
export const patterns: Rule = eachKeyword('pattern', (pattern) => {
  if (typeof pattern !== 'string') return '`pattern` must be a text'
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    return `\`pattern\` must be a regular expression: ${(error as Error).message}`
  }
  if (!repeatsRepetition(pattern)) return undefined
  return '`pattern` repeats a group that holds a repetition, which can take exponential time: bound one of them, as in {1,63}'
})

/**
 * Whether a group with an endless repetition in it is repeated endlessly itself. One that starts with a
 * separator which cannot stand in the rest, as in `(?:_[A-Z]+)+`, can be read in one way only.
 */
function repeatsRepetition(pattern: string): boolean {
  const endless = /[*+]|\{\d+,\}/
  const separated = /^[ _,:;/@#=&-][^!]*$/
  // Neither escapes nor classes repeat anything: `x` stands for letters and digits, `!` for all else.
  let plain = pattern
    .replaceAll(/\\./g, (escaped) => (escaped === '\\d' ? 'x' : '!'))
    .replaceAll(/\[([^\]]*)\]/g, (_, members) =>
      /^(\w-\w|[A-Za-z0-9])+$/.test(members) ? 'x' : '!',
    )
  for (let before = ''; before !== plain; ) {
    before = plain
    plain = plain.replace(groups, (_, inside: string, repeat = '') => {
      const isApart = separated.test(inside) && !inside.slice(1).includes(inside[0]!)
      if (repeat && endless.test(inside) && !isApart) return '\0'
      return endless.test(inside) ? '!+' : `!${repeat}`
    })
  }
  return plain.includes('\0')
}

const groups = /\((?:\?[:=!]|\?<[=!]?)?([^()]*)\)(\*|\+|\{\d+,\})?/
