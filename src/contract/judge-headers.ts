import type { ValidateFunction } from 'ajv'
import type { Schema } from './document.ts'
import type { Answer, Finding } from './judge-answer.ts'

/** A header of an answer as the contract describes it. */
export interface HeaderObject {
  $ref?: string
  required?: boolean
  schema: Schema
}

/** The value of a header by its name, or undefined. */
export type ReadHeader = (name: string) => string | undefined

interface Expected {
  headers: Record<string, HeaderObject> | undefined
  /** The media type of the body. */
  type: string | undefined
}

/** What is wrong with the headers of an answer. */
export function judgeHeaders(
  { header, body }: Answer,
  { headers = {}, type }: Expected,
  compile: (schema: Schema) => ValidateFunction,
): Finding[] {
  const findings = Object.entries(headers).flatMap(([name, { required = false, schema }]) => {
    const value = header(name)
    const field = `header ${name}`
    if (value === undefined) return required ? [{ field, message: 'is required' }] : []
    return compile(schema)(typed(value, schema)) ? [] : [{ field, message: 'is not as described' }]
  })
  const given = header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && given !== type) {
    findings.push({ field: 'header Content-Type', message: `must be ${type}` })
  }
  const requestId = (Object(body) as Record<string, unknown>)['request_id']
  const repeated = header('request-id')
  if ('Request-Id' in headers && requestId !== undefined && repeated !== undefined) {
    if (requestId !== repeated) {
      findings.push({ field: 'header Request-Id', message: 'must equal `request_id` of the body' })
    }
  }
  return findings
}

/** A header is a text; its schema may be about a number. */
const typed = (value: string, { type }: Schema): unknown =>
  type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value
