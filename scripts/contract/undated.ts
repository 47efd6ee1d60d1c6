/** A document beside the dated versions: its operations are the same in all of them. */
export interface Undated {
  /** In sentences. */
  title: string
  /** Whether production has its operations; then the client and the mock have them too. */
  production: boolean
}

/** By the name of its folders below `openapi/` and `generated/`, and of its pages in the docs. */
const described = {
  platform: { title: 'the platform API', production: true },
  sandbox: { title: 'the sandbox API', production: false },
} satisfies Record<string, Undated>

export type UndatedName = keyof typeof described

/** One document may refer to parts of those before it, and not the other way round. */
export const undated = Object.keys(described) as UndatedName[]

export const isUndated = (document: string): document is UndatedName =>
  Object.hasOwn(described, document)

export const describeUndated = (name: UndatedName): Undated => described[name]

/**
 * The documents of the service's own pages. Only those pages call their operations, so the docs, the
 * client and the mock leave them out.
 */
export const ofPages = ['dashboard'] as const

export type PageDocument = (typeof ofPages)[number]

export const isOfPages = (document: string): document is PageDocument =>
  ofPages.some((name) => name === document)

/** The documents that the client and the mock have beside the dated versions. */
export const ofClients = undated.filter((name) => described[name].production)

/** The document that no production has. */
export const sandbox: UndatedName = 'sandbox'
