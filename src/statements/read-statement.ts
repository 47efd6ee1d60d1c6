import type { CsvMapping } from '../../generated/statements/types.ts'
import { camtParser } from './camt.ts'
import { chooseMapping } from './csv/choose.ts'
import { csvParser } from './csv/csv.ts'
import type { Given } from './csv/draft.ts'
import { type Decoder, decoderFor, headBytes, WrongEncoding } from './decode.ts'
import { detectFormat } from './detect.ts'
import { createUtf8Search } from './find-utf8.ts'
import { mt940Parser } from './mt940.ts'
import { ofxParser } from './ofx.ts'
import {
  type Emit,
  NoStatement,
  type StatementEvent,
  type StatementFormat,
  type StatementIssue,
  type StatementParser,
} from './statement.ts'

export interface ReadOptions {
  /** Found by the first bytes where it is not given. */
  format?: StatementFormat
  /** Says where a CSV file has what; without one, it is chosen by the header row. */
  mapping?: CsvMapping
  /** What a CSV file that is read without a mapping does not tell by itself. */
  given?: Given
  /** As `TextDecoder` names it; found by the first bytes where it is not given. */
  encoding?: string
}

/** A file that is being read. */
export interface StatementFile {
  format: StatementFormat
  /** Known for sure when all has been read. */
  encoding(): string
  /** What the file tells, piece by piece. */
  events: AsyncIterable<readonly StatementEvent[]>
}

type ParserOf = (emit: Emit) => StatementParser

const parsers: Readonly<Record<Exclude<StatementFormat, 'csv'>, ParserOf>> = {
  ofx: ofxParser,
  camt: camtParser,
  mt940: mt940Parser,
}

/**
 * Reads a bank's file of any known format as a stream, in memory that does not grow with it.
 *
 * @throws NoStatement when it is no statement at all
 */
export async function readStatement(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): Promise<StatementFile> {
  const pieces = bytes[Symbol.asyncIterator]()
  const { head, rest } = await readHead(pieces)
  const format = options.format ?? (options.mapping ? 'csv' : detectFormat(head))
  const encoding = options.encoding ?? options.mapping?.encoding
  const decoder = decoderFor(head, encoding)
  const parserOf = format === 'csv' ? csvParserFor(head, options, encoding) : parsers[format]
  return {
    format,
    encoding: decoder.encoding,
    events: parse([head, rest], pieces, decoder, parserOf, encoding === undefined),
  }
}

/** @throws MappingNeeded when none is given and the head does not tell which one fits */
function csvParserFor(
  head: Uint8Array,
  { mapping, given = {} }: ReadOptions,
  encoding: string | undefined,
): ParserOf {
  if (mapping) return csvParser(mapping)
  const decoder = decoderFor(head, encoding)
  return csvParser(chooseMapping(readAll(decoder, head), head.length < headBytes, given))
}

function readAll(decoder: Decoder, head: Uint8Array): string {
  try {
    return decoder.write(head)
  } catch (error) {
    if (!(error instanceof WrongEncoding)) throw error
    throw new NoStatement(error.message)
  }
}

/** The head has `headBytes` where the file is as long, so that it does not depend on the pieces. */
async function readHead(
  pieces: AsyncIterator<Uint8Array>,
): Promise<{ head: Uint8Array; rest: Uint8Array }> {
  const parts: Uint8Array[] = []
  for (let size = 0; size < headBytes; ) {
    const { value, done } = await pieces.next()
    if (done) break
    parts.push(value)
    size += value.length
  }
  const start = Buffer.concat(parts)
  return { head: start.subarray(0, headBytes), rest: start.subarray(headBytes) }
}

/** Of how many characters the events are held at once. */
const charactersAtOnce = 16_384

/** Cuts text between its characters, some of which are two code units. */
function* cut(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const isPair = /^[\ud800-\udbff]/.test(text.charAt(from + charactersAtOnce - 1))
    const to = from + charactersAtOnce + (isPair ? 1 : 0)
    yield text.slice(from, to)
    from = to
  }
}

async function* inOrder(
  head: Uint8Array,
  rest: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head
  yield rest
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
}

async function* parse(
  [head, rest]: readonly [Uint8Array, Uint8Array],
  pieces: AsyncIterator<Uint8Array>,
  decoder: Decoder,
  parserOf: ParserOf,
  /** Whether the encoding was found in the file, and not named by who reads it. */
  isFound: boolean,
): AsyncGenerator<readonly StatementEvent[]> {
  let found: StatementEvent[] = []
  const parser = parserOf((event) => found.push(event))
  const taken = (): StatementEvent[] => {
    const events = found
    found = []
    return events
  }
  let lines = 1
  let search = isFound ? createUtf8Search() : undefined
  const write = (text: string): void => {
    const utf8 = decoder.encoding() === 'windows-1252' ? search?.(text) : undefined
    if (utf8) {
      search = undefined
      const line = lines + text.slice(0, utf8.at).split('\n').length - 1
      found.push({ kind: 'issue', issue: toMixed(utf8.found, line) })
    }
    lines += text.split('\n').length - 1
    parser.write(text)
  }
  try {
    for await (const piece of inOrder(head, rest, pieces)) {
      for (const text of cut(decoder.write(piece))) {
        write(text)
        yield taken()
      }
    }
    write(decoder.end())
  } catch (error) {
    if (!(error instanceof WrongEncoding)) throw error
    const issue = { line: lines, code: 'INVALID_ENCODING', message: error.message } as const
    found.push({ kind: 'issue', issue })
  }
  await parser.end()
  yield taken()
}

/** Says that texts may look wrong. Nothing is lost: the bytes can be either. */
const toMixed = (text: string, line: number): StatementIssue => ({
  line,
  code: 'MIXED_ENCODING',
  message: `${text} looks like a letter of UTF-8 in a file that is taken for windows-1252: if texts come out wrong, name the encoding`,
})
