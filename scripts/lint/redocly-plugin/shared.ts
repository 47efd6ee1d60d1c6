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
