import type { ApiError } from '../kernel/errors.ts'
import type { Body } from './parse-body.ts'

/**
 * Adds to an error that names a field of the body whether its value has white space around it. Nobody
 * sees this white space, and most ids have no form that a schema could check.
 */
export function tellPadding(error: ApiError, body: Body): void {
  const [, path = ''] = error.message.match(/^(?:the field )?`([\w.[\]]+)` /) ?? []
  const value = (path.match(/\w+/g) ?? []).reduce(memberOf, body)
  if (typeof value !== 'string' || value.trim() === value) return
  const place = value.trimEnd() === value ? 'start' : 'end'
  error.message += `; it has white space at its ${place}`
}

const memberOf = (node: unknown, key: string): unknown =>
  typeof node === 'object' && node !== null && Object.hasOwn(node, key)
    ? (node as Body)[key]
    : undefined
