import { type Contract, resolve, type Schema } from '../contract/contract.ts'
import { fieldItems } from './field-list.ts'
import { type Field, shapeOf } from './fields.ts'
import type { Links } from './html.ts'

interface Header {
  $ref?: string
  name?: string
  required?: boolean
  description?: string
  schema: Schema
}

/** Headers as fields: the parameters of a request, or the headers of an answer by name. */
export function headerList(
  contract: Contract,
  headers: unknown[] | Record<string, unknown>,
  links: Links,
  request: boolean,
): string {
  const named: [string | undefined, Header][] = Array.isArray(headers)
    ? headers.map((header) => [undefined, header as Header])
    : Object.entries(headers).map(([name, header]) => [name, header as Header])
  const fields = named.map(([name, written]): Field => {
    const header = resolve(contract, written)
    const label = name ?? header.name!
    const path = `${request ? 'request' : 'response'}-header.${label}`
    const { description = '' } = header
    const shape = shapeOf(contract, { ...header.schema, description }, path)
    return { name: label, path, required: request ? (header.required ?? false) : true, shape }
  })
  return fieldItems(fields, links, request)
}
