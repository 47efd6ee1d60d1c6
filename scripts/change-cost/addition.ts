import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A text that is put into a file, below a line that is there already. */
interface Insertion {
  file: string
  below: string
  text: string
}

/** What somebody edits in order to add one thing to the project. */
export interface Addition {
  name: string
  /** New files, by their path. */
  files: Record<string, string>
  insertions: Insertion[]
  /** A line that says something else, in one file. */
  replacements?: { file: string; from: string; to: string }[]
  /** What the addition may take: how many files match each pattern. Contract files have no number. */
  aim: { what: string; files: RegExp; most?: number; lines?: number }[]
}

/** Makes the edits of an addition in a copy of the project. */
export function apply(copy: string, { files, insertions, replacements = [] }: Addition): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
  for (const { file, below, text } of insertions) {
    edit(copy, file, `${below}\n`, `${below}\n${text}`)
  }
  for (const { file, from, to } of replacements) edit(copy, file, from, to)
}

function edit(copy: string, file: string, from: string, to: string): void {
  const before = readFileSync(join(copy, file), 'utf8')
  const places = before.split(from).length - 1
  if (places !== 1) throw new Error(`${file} has ${places} times: ${from}`)
  writeFileSync(
    join(copy, file),
    before.replace(from, () => to),
  )
}

/** One file that an addition touched, with the lines that are new in it. */
export interface Touched {
  file: string
  lines: number
}

/** What of an addition goes beyond its aim, in words. */
export function beyondAim({ aim }: Addition, touched: readonly Touched[]): string[] {
  const unnamed = touched.filter(({ file }) => !aim.some(({ files }) => files.test(file)))
  const over = aim.flatMap(({ what, files, most, lines }) => {
    const found = touched.filter(({ file }) => files.test(file))
    const isMany = most !== undefined && found.length > most
    const long = found.filter((one) => lines !== undefined && one.lines > lines)
    return [
      ...(isMany ? [`${what}: ${found.length} files, not ${most}`] : []),
      ...long.map((one) => `${what}: ${one.lines} lines in ${one.file}, not ${lines}`),
    ]
  })
  return [...unnamed.map(({ file }) => `${file} is not part of the aim`), ...over]
}
