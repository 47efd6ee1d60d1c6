import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Metafile } from 'esbuild'

const numbered = /\b(?:func|pattern|schema|validate)\d+\b/g

/**
 * How top-level pieces that Ajv counts (`validate98`) are called by what they hold instead, so that
 * a change of one schema changes the files of that schema alone. Equal pieces become one.
 */
export function nameByContent(sources: Map<string, string>): (text: string) => string {
  const names = new Map<string, string>()
  const rename = (text: string): string =>
    text.replace(numbered, (name) => (sources.has(name) ? nameOf(name) : name))
  const nameOf = (name: string): string => {
    if (!names.has(name)) {
      // Stands for itself while its own text is read.
      names.set(name, 'itself')
      names.set(name, name.replace(/\d+$/, `_${digest(rename(sources.get(name)!))}`))
    }
    return names.get(name)!
  }
  return rename
}

/** Calls files that entries share by the entries that do: a name stays when the content changes. */
export function renameShared({ outputs }: Metafile): (text: string) => string {
  const users = new Map<string, string[]>()
  for (const [entry, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === undefined) continue
    for (const path of filesOf(entry, outputs)) users.set(path, [...(users.get(path) ?? []), entry])
  }
  const names = new Map(
    [...users].map(([path, entries]) => [basename(path, '.js'), digest(entries.sort().join(' '))]),
  )
  return (text) => text.replace(/\b[A-Z0-9]{8}(?=\.js\b)/g, (name) => names.get(name) ?? name)
}

function filesOf(path: string, outputs: Metafile['outputs'], found = new Set<string>()) {
  if (found.has(path)) return found
  found.add(path)
  for (const imported of outputs[path]!.imports) filesOf(imported.path, outputs, found)
  return found
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)
