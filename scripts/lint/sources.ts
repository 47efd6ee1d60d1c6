import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, runCommand } from '../command.ts'
import { base, contractFolder } from '../contract/place.ts'
import { parseSource } from '../contract/yaml-source.ts'
import { bodies, messages, replays } from './source-rules/errors.ts'
import { operationNames, shownBodies, unreachableErrors } from './source-rules/operations.ts'
import {
  brokenReferences,
  duplicateSchemas,
  endlessReferences,
  unusedFiles,
} from './source-rules/references.ts'
import { emptyProperties, enumWords, formats, patterns } from './source-rules/schemas.ts'
import { objectsIn, type Rule, type Source } from './source-rules/shared.ts'
import { tell } from './tell.ts'

const rules: Rule[] = [
  brokenReferences,
  endlessReferences,
  unusedFiles,
  duplicateSchemas,
  operationNames,
  shownBodies,
  unreachableErrors,
  replays,
  messages,
  bodies,
  emptyProperties,
  enumWords,
  patterns,
  formats,
]

/** The files of the contract, by their names. */
export function contractFiles(): Map<string, string> {
  const files = globSync(`${contractFolder}/**/*.yaml`, { cwd: base }).sort()
  return new Map(files.map((file) => [file, readFileSync(join(base, file), 'utf8')]))
}

/**
 * The mistakes that show in the files of the contract and not in its documents, which hold only what
 * the files lead to. Files that are not YAML come first: nothing else can be said before.
 */
export function sourceMistakes(files = contractFiles()): string[] {
  const read = [...files].map(([file, text]) => parseSource(file, text))
  const broken = read.flatMap(({ file, document, mistakes }) =>
    mistakes.length === 0 && document.contents === null
      ? [`${file}:1: the file is empty`]
      : mistakes,
  )
  if (broken.length > 0) return broken
  const sources = read.map((source): Source => {
    const value = source.document.toJS()
    return { ...source, value, objects: [...objectsIn(value)] }
  })
  const byFile = new Map(sources.map((source) => [source.file, source]))
  return rules.flatMap((rule) => rule(byFile))
}

if (isMain(import.meta.filename)) await runCommand(() => tell(sourceMistakes()))
