/**
 * The default export of a CommonJS module. Node, Vitest and the bundler disagree on whether an import
 * gives the module or its default.
 */
export const defaultOf = <Value>(module: unknown): Value =>
  ((module as { default?: Value }).default ?? module) as Value
