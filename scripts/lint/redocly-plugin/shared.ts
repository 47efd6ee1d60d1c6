// What the rules share: the parts of redocly's interface that they use.

export interface Location {
  child(path: string[]): Location
  /** The name of the member, and not its value. */
  key(): Location
  pointer: string
  absolutePointer: string
  source: { absoluteRef: string }
}

export interface Context {
  report(problem: { message: string; location?: Location }): void
  location: Location
  resolve(node: unknown, from?: string): { node?: unknown; location?: Location }
}

export type Node = Record<string, unknown>

export const isObject = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reports each extension that nothing reads: a typing mistake would be silent otherwise. */
export function reportUnknown(node: Node, known: readonly string[], context: Context): void {
  for (const name of Object.keys(node)) {
    if (!name.startsWith('x-') || known.includes(name)) continue
    const location = context.location.child([name]).key()
    context.report({
      message: `\`${name}\` is unknown here; known are ${known.join(', ')}`,
      location,
    })
  }
}
