import { settings, type Undated } from './settings.ts'

/** By the name of its folders below `openapi/` and `generated/`, and of its pages in the docs. */
const described = settings.documents

/** One document may refer to parts of those before it, and not the other way round. */
export const undated: readonly string[] = Object.keys(described)

export const isUndated = (document: string): boolean => Object.hasOwn(described, document)

export function describeUndated(name: string): Undated {
  const found = described[name]
  if (!found) throw new Error(`settings.yaml describes no document ${name}`)
  return found
}

/**
 * The documents of the service's own pages. Only those pages call their operations, so the docs, the
 * client and the mock leave them out.
 */
export const ofPages: readonly string[] = settings.pages

export const isOfPages = (document: string): boolean => ofPages.includes(document)

/** The documents that the client and the mock have beside the dated versions. */
export const ofClients: readonly string[] = undated.filter((name) => described[name]?.production)

/** The document that no production has. */
export const sandbox = 'sandbox'
