import { finished } from 'node:stream/promises'
import { type CsvError, parse } from 'csv-parse'

/** What a row's reader tells. */
interface RowEvents {
  /** A row with its values; `line` is where it begins. */
  row(values: readonly string[], line: number): void
  /** A row that cannot be taken apart. */
  broken(line: number, message: string): void
  /** A quote that never ends: nothing from this line on was read. */
  unended(line: number): void
}

interface Separation {
  separator: string
  /** Whether values may stand in quotes. */
  quotes: boolean
}

interface RowForm extends Separation {
  skipLines: number
}

/** The options of the parser for a text whose lines end with a line feed. */
export const parserOptions = ({ separator, quotes }: Separation) => ({
  delimiter: separator,
  quote: quotes ? '"' : null,
  record_delimiter: '\n',
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_error: true,
})

/** No row is longer, so that a quote that never ends does not collect the rest of the file. */
const longestRow = 100_000

/** Takes text apart into rows. Lines may end in any way, also in different ways. */
export function rowReader(form: RowForm, events: RowEvents) {
  const { skipLines } = form
  let isStopped = false
  let toSkip = skipLines
  /** A carriage return whose line feed may come with the next piece. */
  let held = ''
  let lastLine = skipLines
  let brokenLine = 0
  let endsLine = true

  const parser = parse({
    ...parserOptions(form),
    max_record_size: longestRow,
    on_record: (values: string[], { lines }) => {
      lastLine = skipLines + lines
      events.row(values, lastLine - lineEndsIn(values))
      return null
    },
    on_skip: (error) => {
      if (error) skip(error)
      return undefined
    },
  })
  const skip = ({ code, lines }: CsvError): void => {
    if (isStopped) return
    const line = skipLines + Number(lines)
    if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE') {
      isStopped = true
      events.unended(lastLine + 1)
    } else if (line !== brokenLine) {
      brokenLine = line
      events.broken(
        line,
        'a quote stands in the middle of a value; inside quotes it must be doubled',
      )
    }
  }
  parser.resume()

  return {
    write(text: string): void {
      const whole = held + text
      held = whole.endsWith('\r') ? '\r' : ''
      let lines = whole.slice(0, whole.length - held.length).replace(/\r\n?/g, '\n')
      for (; toSkip > 0 && lines.includes('\n'); toSkip -= 1) {
        lines = lines.slice(lines.indexOf('\n') + 1)
      }
      if (toSkip > 0 || lines === '' || isStopped) return
      endsLine = lines.endsWith('\n')
      parser.write(lines)
    },
    /** Tells whether the last line that was read has an end. */
    async end(): Promise<boolean> {
      if (held !== '') endsLine = true
      parser.end()
      await finished(parser)
      return endsLine || isStopped
    },
  }
}

function lineEndsIn(values: readonly string[]): number {
  let count = 0
  for (const value of values) {
    for (let at = value.indexOf('\n'); at >= 0; at = value.indexOf('\n', at + 1)) count += 1
  }
  return count
}
