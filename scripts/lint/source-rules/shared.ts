import { contractFolder } from '../../contract/place.ts'
import { ofPages, undated } from '../../contract/undated.ts'
import { lineOf, type YamlSource } from '../../contract/yaml-source.ts'

export type Way = readonly (string | number)[]

/** A file of the contract with its value, and every object in it with the way that leads there. */
export interface Source extends YamlSource {
  value: unknown
  objects: { way: Way; object: Record<string, unknown> }[]
}

export type Sources = ReadonlyMap<string, Source>

/** A rule tells the mistakes of all files, one line for each. */
export type Rule = (sources: Sources) => string[]

/** The line that tells a mistake, and what was expected in its place. */
export const mistake = (source: Source, way: Way, message: string): string =>
  `${source.file}:${lineOf(source, way)}: ${message}`

/** Every object of a value; what stands in examples is data, and no part of the contract. */
export function* objectsIn(value: unknown, way: Way = []): Generator<Source['objects'][number]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { way, object: value as Record<string, unknown> }
  for (const [key, part] of Object.entries(value)) {
    const isData =
      ['value', 'x-replay', 'default'].includes(key) &&
      !['properties', 'responses'].includes(String(way.at(-1)))
    if (!isData) yield* objectsIn(part, [...way, key])
  }
}

/** The folder of the document that a file belongs to. */
export const homeOf = (file: string): string => {
  const own = [...undated, ...ofPages].find((name) => file.startsWith(`${contractFolder}/${name}/`))
  return own ? `${contractFolder}/${own}` : contractFolder
}

/** The files below a folder of any document. */
export const filesBelow = (sources: Sources, folder: string): Source[] =>
  [...sources.values()].filter(({ file }) => {
    return file.startsWith(`${homeOf(file)}/${folder}/`)
  })
