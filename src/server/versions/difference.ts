/** How a value of a version stands in the version before it. */
export interface Edit {
  /** The name that it has there. */
  readonly name?: string
  /** Values that are others there, each as `[here, there]`. */
  readonly values?: readonly (readonly [unknown, unknown])[]
  /** The one value that it always has there. */
  readonly only?: unknown
  /** It does not exist there. */
  readonly gone?: true
  /** It exists there only, and always with this value. */
  readonly added?: unknown
}

/** The edits within a component, by place: `''` is the component itself. */
export type Change = Readonly<Record<string, Edit>>

/** Where in a body the components stand that are not the same. */
export type Places = Readonly<Record<string, readonly string[]>>

/** What a version has differently from the next newer one; derived from their contracts. */
export interface Differences {
  readonly newer: string
  /** By component: what follows from the contracts alone. */
  readonly changes: Readonly<Record<string, Change>>
  /** By operation. */
  readonly requests: Readonly<Record<string, Places>>
  readonly responses: Readonly<Record<string, Places>>
  /** The places that take a function, by operation. */
  readonly byHand: {
    readonly requests: Readonly<Record<string, readonly string[]>>
    readonly responses: Readonly<Record<string, readonly string[]>>
  }
}

/** The same changes, from the older version to the newer. */
export const invertChange = (change: Change): Change =>
  Object.fromEntries(Object.entries(change).flatMap(invertEdit))

function invertEdit([place, edit]: [string, Edit]): [string, Edit][] {
  // What only the newer version has stays away.
  if (edit.gone) return []
  if ('added' in edit) return [[place, { gone: true }]]
  const values = edit.values?.map(([here, there]) => [there, here] as const)
  // The older version's only value is one of the newer's, and needs no edit.
  if (edit.name === undefined) return values ? [[place, { values }]] : []
  const own = place.split('.').at(-1) as string
  const renamed = place.slice(0, place.length - own.length) + edit.name
  return [[renamed, { name: own, ...(values ? { values } : {}) }]]
}
