import { resolveReferences } from '../../institution-list/references.ts'

/**
 * The settings of an institution with what their references stand for; undefined where one leads to
 * nothing. Paths of files are whole since their list was read.
 */
export async function resolveSettings(settings: unknown): Promise<unknown> {
  const sources = { environment: process.env, folder: '.' }
  const { value, unresolved } = await resolveReferences(settings, sources)
  return unresolved.length === 0 ? value : undefined
}
