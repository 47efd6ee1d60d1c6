export type Node = Record<string, unknown>

/** One thing that can be broken at a place: what is done, to what, and the place as it is then. */
export interface Edit {
  kind: string
  about: string
  apply(node: Node): void
}

export const edit = (kind: string, about: unknown, apply: (node: Node) => void): Edit => ({
  kind,
  about: String(about),
  apply,
})

export const without = (list: unknown, value: unknown): unknown[] =>
  (list as unknown[]).filter((item) => item !== value)

export const drop =
  (...keywords: string[]) =>
  (node: Node): void => {
    for (const keyword of keywords) delete node[keyword]
  }

export const put =
  (keyword: string, value: unknown) =>
  (node: Node): void => {
    node[keyword] = value
  }
