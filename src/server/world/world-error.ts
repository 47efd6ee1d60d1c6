import type { Place } from './world-node.ts'

/** What is wrong with a file of the world: one line for each finding, with its place. */
export class WorldError extends Error {}

/** One finding. */
export interface Problem {
  place: Place
  /** What it is about, in the words of its file; empty for the whole. */
  path: string
  message: string
}

const mostShown = 50

/** Throws all that was found, in the order of the files; nothing for nothing. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const sorted = [...problems].sort(byPlace)
  const lines = sorted.slice(0, mostShown).map(({ place, path, message }) => {
    const subject = path === '' ? message : `${path} ${message}`
    return `${place.file}:${place.line}:${place.column}: ${subject}`
  })
  const more = sorted.length - lines.length
  throw new WorldError([...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'))
}

const byPlace = ({ place: a }: Problem, { place: b }: Problem): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1
