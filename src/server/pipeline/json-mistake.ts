import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'

/** Longer texts are written by programs. To find a mistake in them takes longer than to parse them. */
const longestExplained = 32_768

/**
 * What is wrong with a text that is no JSON object: completes "the body". It never quotes the text,
 * which may hold a secret.
 */
export function describeMistake(text: string): string {
  if (text.trim() === '') return 'is empty; it must be a JSON object'
  if (text.length > longestExplained) return 'must be one JSON object'
  const mistake = findMistake(text)
  if (mistake === undefined) return `must be a JSON object, not ${kindOf(text)}`
  const { line, column, words } = mistake
  return `is not JSON: ${words}, in line ${line}, column ${column}`
}

interface Mistake {
  line: number
  column: number
  words: string
}

/** The first place where a text is not JSON. */
function findMistake(text: string): Mistake | undefined {
  let found: Mistake | undefined
  const visitor = {
    onError(code: ParseErrorCode, offset: number, length: number, line: number, column: number) {
      const words = describe(code, text, { offset, length })
      found = { line: line + 1, column: column + 1, words }
      // Nothing after the first mistake is read.
      throw new FirstMistake()
    },
  }
  try {
    visit(text, visitor, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (!(error instanceof FirstMistake)) throw error
  }
  return found
}

class FirstMistake extends Error {}

/** What the parser could not read. */
interface Unread {
  offset: number
  length: number
}

function describe(code: ParseErrorCode, text: string, { offset, length }: Unread): string {
  const rest = text.slice(offset, offset + longestSymbol)
  if (rest === '') return 'it ends too early'
  if (text.slice(0, offset).trim() === '') return 'it must begin with `{`'
  const name = printParseErrorCode(code)
  if (name === 'UnexpectedEndOfString' && offset + length >= text.length)
    return 'it ends inside a text'
  const isAfterComma = text.slice(0, offset).trimEnd().endsWith(',')
  if (isAfterComma && /^[}\]]/.test(rest)) return `no comma may stand before \`${rest[0]}\``
  if (text[offset - 1] === '0' && /^\d/.test(rest)) return 'a number must not begin with 0'
  const [, hint] = symbols.find(([pattern]) => pattern.test(rest)) ?? []
  return hint ?? words[name] ?? 'it is malformed'
}

const longestSymbol = 12

/** What people write for what JSON has, or has not. */
const symbols: readonly (readonly [RegExp, string])[] = [
  [/^'/, 'names and texts need double quotes'],
  [/^(true|false|null)\b/i, 'write true, false and null in small letters'],
  [/^None\b/, 'write null for no value'],
  [
    /^(NaN|[-+]?Infinity|undefined)\b/,
    'JSON has no NaN, Infinity and undefined; send null or leave the field out',
  ],
  [/^[+.]\d/, 'a number must not begin with + or a point'],
  [/^=/, 'a colon is missing'],
]

/** The rest, by the names that the parser has for its errors. */
const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'names and texts need double quotes',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'something stands after its end',
  InvalidCommentToken: 'it must not have comments',
  UnexpectedEndOfComment: 'it must not have comments',
  UnexpectedEndOfString: 'a text does not end in its line; write \\n for a line break',
  UnexpectedEndOfNumber: 'a number does not end',
  InvalidUnicode: 'an escape in a text is malformed',
  InvalidEscapeCharacter: 'an escape in a text is malformed',
  InvalidCharacter: 'a text has a character that must be escaped',
}

/** The kind of a JSON text that is no object, by how it begins. */
function kindOf(text: string): string {
  const [first = ''] = text.trim()
  const kinds: Readonly<Record<string, string>> = {
    '[': 'an array',
    '"': 'a string',
    t: 'true',
    f: 'false',
    n: 'null',
  }
  return kinds[first] ?? 'a number'
}
