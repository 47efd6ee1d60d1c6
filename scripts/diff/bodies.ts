import { type Contract, type OperationObject, resolve, type Schema } from '../contract/contract.ts'
import { compare } from './compare.ts'
import type { Change } from './comparison.ts'
import type { Contracts, Told } from './finding.ts'
import type { Direction } from './kinds.ts'
import { changedSchemas } from './meaning.ts'
import { escapeKey } from './node.ts'
import type { OperationPair } from './operations.ts'

/** A schema that a client fills in or reads. */
interface Body {
  key: string
  side: string
  direction: Direction
  /** The name of a header, where the field's path begins. */
  field: string
  schema: Schema
  at: string
}

/** Compares every body and header of the operations that are there before and after. */
export function compareBodies(contracts: Contracts, pairs: OperationPair[]): Told[] {
  const changed = changedSchemas(contracts.before, contracts.after)
  return pairs.flatMap((pair) => {
    const theirs = bodiesOf(contracts.before, pair.before, pair.isWebhook)
    const ours = bodiesOf(contracts.after, pair.after, pair.isWebhook)
    return ours.flatMap((body) => {
      const old = theirs.find(({ key }) => key === body.key)
      if (!old) return []
      const found: Change[] = []
      const { direction } = body
      const comparison = { ...contracts, direction, changed, found, open: new Set<string>() }
      compare(comparison, body.field, [[old], [body]])
      return found
        .filter((change) => !isListOfVersions(contracts, change))
        .map(({ kind, words, field, at }) => {
          return { kind, words, at, direction, place: { name: pair.name, side: body.side, field } }
        })
    })
  })
}

/** The newest version is the default, as the description of the header says. */
function isListOfVersions({ after }: Contracts, { kind, field }: Change): boolean {
  const header = after.components['parameters']?.['ServiceVersion'] as { name: string } | undefined
  return field === header?.name && kind === 'default changed'
}

type Entry = OperationPair['before']

function bodiesOf(contract: Contract, { operation, at }: Entry, isWebhook: boolean): Body[] {
  const sent = isWebhook ? 'answer' : 'request'
  const request = ofContent(operation.requestBody?.content, `${at}/requestBody/content`, {
    side: isWebhook ? 'webhook' : 'request',
    direction: sent,
  })
  const parameters = (operation.parameters ?? []).map((parameter, index) => {
    const { name, schema } = resolve(contract, parameter) as { name: string; schema: Schema }
    const own = pointerOf(parameter) ?? `${at}/parameters/${index}`
    const side = isWebhook ? 'webhook header' : 'header'
    return {
      key: `${side} ${name}`,
      side,
      direction: sent,
      field: name,
      schema,
      at: `${own}/schema`,
    }
  }) satisfies Body[]
  return [...request, ...parameters, ...(isWebhook ? [] : ofResponses(contract, operation, at))]
}

function ofResponses(contract: Contract, { responses }: OperationObject, at: string): Body[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const { content, headers = {} } = resolve(contract, response)
    const own = pointerOf(response) ?? `${at}/responses/${status}`
    const side = status.startsWith('2') ? 'answer' : `error ${status}`
    const direction = 'answer'
    const ofHeaders = Object.entries(headers).map(([name, header]) => {
      const { schema } = resolve(contract, header as object) as { schema: Schema }
      const place = pointerOf(header as object) ?? `${own}/headers/${escapeKey(name)}`
      const key = `${status} ${name}`
      return { key, side: `${side} header`, direction, field: name, schema, at: `${place}/schema` }
    }) satisfies Body[]
    return [...ofContent(content, `${own}/content`, { side, direction }), ...ofHeaders]
  })
}

function ofContent(
  content: Record<string, { schema: Schema }> | undefined,
  at: string,
  body: Pick<Body, 'side' | 'direction'>,
): Body[] {
  return Object.entries(content ?? {}).map(([type, { schema }]) => {
    const place = `${at}/${escapeKey(type)}/schema`
    return { ...body, field: '', key: `${body.side} ${type}`, schema, at: place }
  })
}

const pointerOf = (node: object): string | undefined =>
  '$ref' in node && typeof node.$ref === 'string' ? node.$ref.slice(1) : undefined
