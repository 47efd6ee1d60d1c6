import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../../../scripts/contract/contract.ts'
import type { Bug, Edit } from './bugs.ts'

/** What is copied: `generated` too, since its list of handlers imports the sources beside it. */
const copied = ['src', 'generated']
/** What the sources of the service find beside them. */
const neighbours = ['node_modules', 'package.json', 'openapi']

/** A copy of the sources. */
export interface SourceCopy {
  root: string
  remove(): void
}

/** The edits of a bug whose text does not stand in its file exactly once: the list has gone stale. */
export const staleEdits = (bug: Bug): Edit[] =>
  editsOf(bug).filter(
    ({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length !== 2,
  )

const editsOf = (bug: Bug): Edit[] => [bug, ...(bug.also ?? [])]

/** Copies the sources below `from` as they are. */
export function copySources(from = root): SourceCopy {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'))
  for (const name of copied) cpSync(join(from, name), join(folder, name), { recursive: true })
  for (const name of neighbours) symlinkSync(join(root, name), join(folder, name))
  return { root: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Copies the sources below `from`, and makes the mistake in the copy. */
export function plant(bug: Bug, from: string): SourceCopy {
  const copy = copySources(from)
  for (const edit of editsOf(bug)) {
    const file = join(copy.root, edit.file)
    // By a function, since `$` means something in a text.
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(edit.from, () => edit.to),
    )
  }
  return copy
}
