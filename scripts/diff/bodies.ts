import { type Contract, type OperationObject, resolve, type Schema } from '../contract/contract.ts'
import { split } from '../contract/split.ts'
import { compare } from './compare.ts'
import type { Change } from './comparison.ts'
import type { Contracts, RawFinding } from './finding.ts'
import { changedKeys, changedSchemas } from './meaning.ts'
import { escapeKey } from './node.ts'
import type { OperationPair } from './operations.ts'
import type { Direction, KindName } from './verdicts.ts'

/** A header, or a body of one media type: what a client sends or receives. */
interface Part {
  type: 'media type' | 'parameter' | 'response header'
  name: string
  isRequired: boolean
  side: string
  direction: Direction
  /** The name of a header, where the field's path begins. */
  field: string
  schema: Schema
  /** Where it is described, and where it is listed, which may be a reference to that. */
  at: string
  listed: string
  /** A header's other keywords. */
  rest?: object
}

/** Compares every body and header of the operations that are there before and after. */
export function compareBodies(contracts: Contracts, pairs: OperationPair[]): RawFinding[] {
  const changed = changedSchemas(contracts.before, contracts.after)
  return pairs.flatMap((pair) => {
    const [theirs, ours] = (['before', 'after'] as const).map((side) => {
      return partsOf(contracts[side], pair[side], pair.isWebhook)
    }) as [Map<string, Part>, Map<string, Part>]
    const { gone, added, kept } = split(theirs.keys(), ours.keys())
    const place = { name: pair.name, side: '', field: '' }
    return [
      ...gone.flatMap((key) => presence(theirs.get(key)!, pair, 'after', 'gone')),
      ...added.flatMap((key) => presence(ours.get(key)!, pair, 'before', 'added')),
      ...kept.flatMap((key) => compareHeaders(theirs.get(key)!, ours.get(key)!)),
    ]
      .map((found): RawFinding => ({ ...found, place }))
      .concat(
        kept.flatMap((key) =>
          compareSchemas(contracts, changed, pair.name, theirs.get(key)!, ours.get(key)!),
        ),
      )
  })
}

function compareSchemas(
  contracts: Contracts,
  changed: Set<string>,
  name: string,
  old: Part,
  part: Part,
): RawFinding[] {
  const found: Change[] = []
  const { direction, side } = part
  const comparison = { ...contracts, direction, changed, found, open: new Set<string>() }
  const [theirs, ours] = [old, part].map(({ schema, at }) => [{ schema, at: `${at}/schema` }])
  compare(comparison, part.field, [theirs!, ours!])
  return found
    .filter((change) => !isListOfVersions(contracts, change))
    .map(({ kind, words, field, at }) => {
      return { kind, words, at, direction, place: { name, side, field } }
    })
}

/** The newest version is the default, as the description of the header says. */
function isListOfVersions({ after }: Contracts, { kind, field }: Change): boolean {
  const header = after.components['parameters']?.['ServiceVersion'] as { name: string } | undefined
  return field === header?.name && kind === 'default changed'
}

type Unplaced = Omit<RawFinding, 'place'>

/** A part that only one of the two has, where the other has its response. */
function presence(
  { type, name, isRequired, side, direction, listed: at }: Part,
  pair: OperationPair,
  other: 'before' | 'after',
  change: 'gone' | 'added',
): Unplaced[] {
  const { operation } = pair[other]
  const response = /^(answer|error \d+)/.exec(side)?.[0]
  const sides = Object.keys(operation.responses).map(sideOf)
  if (response && !pair.isWebhook && !sides.includes(response)) return []
  const isNeeded = isRequired && direction === 'request'
  const all: Record<typeof type, Record<typeof change, [KindName, string]>> = {
    'media type': {
      gone: ['media type removed', `: media type \`${name}\` was removed`],
      added: ['media type added', `has the media type \`${name}\` too`],
    },
    parameter: {
      gone: ['header removed', `: \`${name}\` header parameter was removed`],
      added: isNeeded
        ? ['header required', `: required \`${name}\` header parameter was added`]
        : ['header added', `takes the header \`${name}\` too`],
    },
    'response header': {
      gone: ['header removed', `: response header \`${name}\` was removed`],
      added: ['header added', `answers with the header \`${name}\` too`],
    },
  }
  const [kind, words] = all[type][change]
  return [{ kind, words, at }]
}

/** A header that a client has to send now, or may no longer receive, or that is sent otherwise. */
function compareHeaders(old: Part, part: Part): Unplaced[] {
  const { isRequired, direction, type, name, at } = part
  const others = changedKeys(old.rest, part.rest).map((key): Unplaced => {
    const words = `: \`${key}\` of the header \`${name}\` changed`
    return { kind: 'other change', words, at: `${at}/${key}` }
  })
  if (isRequired === old.isRequired || isRequired !== (direction === 'request')) return others
  const [kind, words] = isRequired
    ? (['header required', `: \`${name}\` header ${type} became required`] as const)
    : (['header optional', `may now lack the header \`${name}\``] as const)
  return [...others, { kind, words, at: `${at}/required` }]
}

type Entry = OperationPair['before']

/** The parts of an operation, by keys that stay the same. */
function partsOf(
  contract: Contract,
  { operation, at }: Entry,
  isWebhook: boolean,
): Map<string, Part> {
  const direction = isWebhook ? 'answer' : 'request'
  const request = { side: isWebhook ? 'webhook' : 'request', direction } as const
  const parameters = (operation.parameters ?? []).map((parameter, index): Part => {
    const { name, schema, required = false, ...rest } = headerOf(contract, parameter)
    const listed = `${at}/parameters/${index}`
    const side = isWebhook ? 'webhook header' : 'header'
    return {
      ...{ type: 'parameter', name, isRequired: required, side, direction, field: name },
      ...{ schema, at: pointerOf(parameter) ?? listed, listed, rest },
    }
  })
  const parts = [
    ...ofContent(operation.requestBody?.content, `${at}/requestBody/content`, request),
    ...parameters,
    ...(isWebhook ? [] : ofResponses(contract, operation, at)),
  ]
  return new Map(parts.map((part) => [`${part.side} ${part.name}`, part]))
}

interface Header {
  name: string
  schema: Schema
  required?: boolean
  deprecated?: boolean
}

const headerOf = (contract: Contract, node: object): Omit<Header, 'deprecated'> => {
  const { deprecated: _, ...header } = resolve(contract, node) as Header
  return header
}

/** The successful responses are one side, since clients rely on what they hold and not on 200. */
const sideOf = (status: string): string => (status.startsWith('2') ? 'answer' : `error ${status}`)

function ofResponses(contract: Contract, { responses }: OperationObject, at: string): Part[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const { content, headers = {} } = resolve(contract, response)
    const own = pointerOf(response) ?? `${at}/responses/${status}`
    const [side, direction] = [sideOf(status), 'answer'] as const
    const ofHeaders = Object.entries(headers).map(([name, header]): Part => {
      const { schema, required = false, ...rest } = headerOf(contract, header as object)
      const listed = `${own}/headers/${escapeKey(name)}`
      return {
        ...{ type: 'response header', name, isRequired: required, side: `${side} header` },
        ...{
          direction,
          field: name,
          schema,
          at: pointerOf(header as object) ?? listed,
          listed,
          rest,
        },
      }
    })
    return [...ofContent(content, `${own}/content`, { side, direction }), ...ofHeaders]
  })
}

function ofContent(
  content: Record<string, { schema: Schema }> | undefined,
  at: string,
  part: Pick<Part, 'side' | 'direction'>,
): Part[] {
  return Object.entries(content ?? {}).map(([name, { schema }]) => {
    const listed = `${at}/${escapeKey(name)}`
    const own = { name, schema, at: listed, listed }
    return { ...part, ...own, type: 'media type', field: '', isRequired: false }
  })
}

const pointerOf = (node: object): string | undefined =>
  '$ref' in node && typeof node.$ref === 'string' ? node.$ref.slice(1) : undefined
