import type { Schema } from './contract.ts'

/** Whether two fields, of which each version has one, are the same by another name. */
export function haveSameExample(one: Schema, other: Schema): boolean {
  const example = JSON.stringify(one.examples?.[0])
  return example !== undefined && example === JSON.stringify(other.examples?.[0])
}
