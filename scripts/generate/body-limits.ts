import { isRule } from '../../src/contract/published.ts'
import { type Contract, resolve, type Schema } from '../contract/contract.ts'

/** The largest body of any operation, in bytes. */
export const maximumBody = 1024 * 1024
/** No operation takes less: headers and white space of a request are as large. */
const leastLimit = 16 * 1024

/** What a character can take: a pair of surrogates in escapes, or four bytes in a form. */
const bytesOfCharacter = 12
/** Far more than a number, a truth or null takes. */
const bytesOfPlain = 32
/** For fields that an open object ignores. */
const bytesIgnored = 64 * 1024
/** Around a member or an element: quotes, a colon, a comma, a line break, and how far it is indented. */
const bytesAround = (level: number): number => 16 + 8 * level

/**
 * The most bytes that a body of an operation is read up to, from the bounds of its schema: no body that
 * the contract accepts is longer, unless it is padded. What has no bound has that of all bodies.
 */
export function bodyLimit(contract: Contract, schema: Schema): number {
  const most = mostBytes(contract, schema, 1)
  let limit = leastLimit
  while (limit < most && limit < maximumBody) limit *= 2
  return limit
}

function mostBytes(contract: Contract, schema: Schema, level: number): number {
  const target = resolve(contract, schema)
  if (target.enum) {
    return Math.max(...target.enum.map((value) => JSON.stringify(value).length)) * bytesOfCharacter
  }
  const alternatives = [...(target.anyOf ?? []), ...(target.oneOf ?? [])].filter(
    (part) => !isRule(part),
  )
  if (alternatives.length > 0 && target.type === undefined) {
    return Math.max(...alternatives.map((part) => mostBytes(contract, part, level)))
  }
  const types = [target.type ?? []].flat()
  if (types.length === 0) return Number.POSITIVE_INFINITY
  return Math.max(...types.map((type) => mostOfType(contract, target, type, level)))
}

function mostOfType(contract: Contract, schema: Schema, type: string, level: number): number {
  const { maxLength, maxItems, items } = schema
  if (type === 'string') return bytesOfCharacter * bound(maxLength) + 2
  if (type === 'array') {
    const element = mostBytes(contract, items ?? {}, level + 1) + bytesAround(level)
    return bound(maxItems) * element
  }
  return type === 'object' ? mostOfObject(contract, schema, level) : bytesOfPlain
}

const bound = (value: unknown): number =>
  typeof value === 'number' ? value : Number.POSITIVE_INFINITY

function mostOfObject(contract: Contract, schema: Schema, level: number): number {
  const { additionalProperties, propertyNames, maxProperties, properties = {} } = schema
  const named = Object.entries(properties).map(
    ([name, property]) =>
      bytesOfCharacter * name.length +
      mostBytes(contract, property, level + 1) +
      bytesAround(level),
  )
  const own = named.reduce((sum, bytes) => sum + bytes, 0)
  if (additionalProperties === false) return own
  if (additionalProperties === undefined && named.length > 0) return own + bytesIgnored
  if (typeof additionalProperties !== 'object') return Number.POSITIVE_INFINITY
  const key = bytesOfCharacter * bound(propertyNames?.['maxLength'])
  const value = mostBytes(contract, additionalProperties, level + 1)
  return own + bound(maxProperties) * (key + value + bytesAround(level))
}
