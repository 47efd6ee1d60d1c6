import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Where references lead to. */
export interface Sources {
  environment: Readonly<Record<string, string | undefined>>
  /** The folder from which relative paths count. */
  folder: string
}

/** Settings with the values that references stand for, and the references that stand for none. */
export interface Resolved {
  value: unknown
  /** By the path within the settings, as in `hosts[0]`. No message holds a value. */
  unresolved: [path: string, message: string][]
}

/** Puts the values of `env:NAME` and `file:PATH` in the places of these texts. */
export async function resolveReferences(settings: unknown, sources: Sources): Promise<Resolved> {
  const unresolved: Resolved['unresolved'] = []
  const visit = async (value: unknown, path: string): Promise<unknown> => {
    if (typeof value === 'string') {
      const [found, message] = await resolveText(value, sources)
      if (message !== undefined) unresolved.push([path, message])
      return found
    }
    if (Array.isArray(value)) {
      return Promise.all(value.map((element, index) => visit(element, `${path}[${index}]`)))
    }
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(async ([key, member]) => [
      key,
      await visit(member, path === '' ? key : `${path}.${key}`),
    ])
    return Object.fromEntries(await Promise.all(entries))
  }
  const value = await visit(settings, '')
  return { value, unresolved }
}

/** The settings with the whole path of each file that they name, so that it counts from no folder any more. */
export function withWholePaths(settings: unknown, folder: string): unknown {
  if (typeof settings === 'string') {
    return settings.startsWith('file:') ? `file:${resolve(folder, settings.slice(5))}` : settings
  }
  if (Array.isArray(settings)) return settings.map((one) => withWholePaths(one, folder))
  if (typeof settings !== 'object' || settings === null) return settings
  const entries = Object.entries(settings)
  return Object.fromEntries(entries.map(([key, one]) => [key, withWholePaths(one, folder)]))
}

/** How long a value may be. */
const mostBytes = 64 * 1024

async function resolveText(
  text: string,
  { environment, folder }: Sources,
): Promise<[value: string, message?: string]> {
  const [, kind, name = ''] = /^(env|file):(.*)$/s.exec(text) ?? []
  if (kind === undefined) return [text]
  if (kind === 'env') {
    const value = environment[name]
    return value ? [value] : [text, `names the environment variable ${name}, which is not set`]
  }
  try {
    const path = resolve(folder, name)
    const found = await stat(path)
    // A device or a pipe may have no end.
    if (!found.isFile()) return [text, `names ${name}, which is not a regular file`]
    if (found.size > mostBytes) {
      return [text, `names the file ${name}, which is larger than ${mostBytes / 1024} KiB`]
    }
    const content = (await readFile(path, 'utf8')).trim()
    return content === '' ? [text, `names the file ${name}, which is empty`] : [content]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return [text, `names the file ${name}, which cannot be read (${code})`]
  }
}
