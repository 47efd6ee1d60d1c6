import type { Context } from '../context.ts'
import { withSeed } from './seeded-context.ts'

/** What all parts of a client's world are written with. */
export interface WorldContext {
  ctx: Context
  seed: string
  /** The day that relative dates count from. */
  anchor: string
}

/** The same for one part, whose new ids follow from its name and not from what stands before it. */
export const contextOf = ({ ctx, seed }: WorldContext, part: string): Context =>
  withSeed(ctx, `${seed}/${part}`)

/** An element with all that its check has found to be there. */
export function complete<Value extends object, Field extends keyof Value & string>(
  value: Value,
  fields: readonly Field[],
): Value & { [Name in Field]-?: Exclude<Value[Name], undefined> } {
  const missing = fields.find((field) => value[field] === undefined)
  if (missing !== undefined) throw new Error(`a part of the world was not checked for ${missing}`)
  return value as Value & { [Name in Field]-?: Exclude<Value[Name], undefined> }
}
