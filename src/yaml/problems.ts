/** Where something stands in a file. */
export interface Place {
  file: string
  line: number
  column: number
  /** As in `clients[0].items[2]`; empty for the whole. */
  path: string
}

/** One finding. */
export interface Problem {
  place: Place
  /** What it is about, in the words of its file; empty for the whole. */
  path: string
  message: string
}

const mostShown = 50

/** The problems in the order of the files, a line for each. */
export function toLines(problems: readonly Problem[]): string[] {
  const sorted = [...problems].sort(byPlace)
  const lines = sorted.slice(0, mostShown).map(({ place, path, message }) => {
    const subject = path === '' ? message : `${path} ${message}`
    return `${place.file}:${place.line}:${place.column}: ${subject}`
  })
  const more = sorted.length - lines.length
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])]
}

const byPlace = ({ place: a }: Problem, { place: b }: Problem): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1
