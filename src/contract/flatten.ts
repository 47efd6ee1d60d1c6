import { type Contract, resolve, type Schema } from './document.ts'

/** Joins the unconditional parts of `allOf` with what stands beside it. */
export function flatten(contract: Contract, schema: Schema): Schema {
  const parts = (schema.allOf ?? []).filter((part) => !part.if)
  if (parts.length === 0) return schema
  const all = [...parts.map((part) => flatten(contract, resolve(contract, part))), schema]
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map((part) => part.properties)),
    required: [...new Set(all.flatMap((part) => part.required ?? []))],
  }
}
