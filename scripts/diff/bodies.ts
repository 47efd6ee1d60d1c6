import { type Contract, type OperationObject, resolve, type Schema } from '../contract/contract.ts'
import { split } from '../contract/split.ts'
import { code } from '../contract/words.ts'
import { compare } from './compare.ts'
import { type Change, type Contracts, wholeChange } from './finding.ts'
import { changedKeys, changedSchemas } from './meaning.ts'
import { escapeKey } from './node.ts'
import type { OperationPair } from './operations.ts'
import type { Direction } from './verdicts.ts'

/** A header, or a body of one media type: what a client sends or receives. */
interface Part extends Sent {
  name: string
  isRequired: boolean
  /** The name of a header, where the field's path begins. */
  field: string
  schema: Schema
  /** Where it is described, and where it is listed, which may be a reference to that. */
  at: string
  listed: string
  /** A header's other keywords. */
  rest?: object
}

interface Sent {
  type: 'media type' | 'parameter' | 'response header'
  side: string
  direction: Direction
}

/** Compares every body and header of the operations that are there before and after. */
export function compareBodies(contracts: Contracts, pairs: OperationPair[]): Change[] {
  const changed = changedSchemas(contracts.before, contracts.after)
  return pairs.flatMap((pair) => {
    const theirs = partsOf(contracts.before, pair.before, pair.isWebhook)
    const ours = partsOf(contracts.after, pair.after, pair.isWebhook)
    const { gone, added, kept } = split(theirs.keys(), ours.keys())
    const both = kept.map((key) => [theirs.get(key)!, ours.get(key)!] as const)
    return [
      ...gone.flatMap((key) => presence(theirs.get(key)!, pair, 'after', 'removed')),
      ...added.flatMap((key) => presence(ours.get(key)!, pair, 'before', 'added')),
      ...both.flatMap(([old, part]) => compareHeaders(pair.name, old, part)),
      ...both.flatMap(([old, part]) => compareSchemas(contracts, changed, pair.name, old, part)),
    ]
  })
}

function compareSchemas(
  contracts: Contracts,
  changed: Set<string>,
  name: string,
  old: Part,
  { direction, side, field, schema, at }: Part,
): Change[] {
  const found: Change[] = []
  const open = new Set<string>()
  const comparison = { ...contracts, direction, body: { name, side }, changed, found, open }
  const theirs = { schema: old.schema, at: `${old.at}/schema` }
  compare(comparison, field, [[theirs], [{ schema, at: `${at}/schema` }]])
  return found.filter((change) => !isListOfVersions(contracts, change))
}

/** The newest version is the default, as the description of the header says. */
function isListOfVersions({ after }: Contracts, { kind, place }: Change): boolean {
  const header = after.components['parameters']?.['ServiceVersion'] as { name: string } | undefined
  return place.field === header?.name && kind === 'default changed'
}

/** A part that only one of the two has, where the other has its response. */
function presence(
  { type, name, isRequired, side, direction, listed }: Part,
  pair: OperationPair,
  other: 'before' | 'after',
  change: 'removed' | 'added',
): Change[] {
  const response = /^(answer|error \d+)/.exec(side)?.[0]
  const sides = Object.keys(pair[other].operation.responses).map(sideOf)
  if (response && !pair.isWebhook && !sides.includes(response)) return []
  const [title, verb] = {
    'media type': [`media type ${code(name)}`, 'has the media type'],
    parameter: [`${code(name)} header parameter`, 'takes the header'],
    'response header': [`response header ${code(name)}`, 'answers with the header'],
  }[type] as [string, string]
  if (change === 'added' && isRequired && direction === 'request') {
    return [wholeChange('header required', pair.name, `: required ${title} was added`, listed)]
  }
  const words = change === 'removed' ? `: ${title} was removed` : `${verb} ${code(name)} too`
  const noun = type === 'media type' ? type : 'header'
  return [wholeChange(`${noun} ${change}`, pair.name, words, listed)]
}

/** A header that a client has to send now, or may no longer receive, or that is sent otherwise. */
function compareHeaders(operation: string, old: Part, part: Part): Change[] {
  const { isRequired, direction, type, name, at } = part
  const others = changedKeys(old.rest, part.rest).map((key) => {
    const words = `: ${code(key)} of the header ${code(name)} changed`
    return wholeChange('other change', operation, words, `${at}/${key}`)
  })
  if (isRequired === old.isRequired || isRequired !== (direction === 'request')) return others
  const [kind, words] = isRequired
    ? (['header required', `: ${code(name)} header ${type} became required`] as const)
    : (['header optional', `may now lack the header ${code(name)}`] as const)
  return [...others, wholeChange(kind, operation, words, `${at}/required`)]
}

/** The parts of an operation, by keys that stay the same. */
function partsOf(
  contract: Contract,
  { operation, at }: OperationPair['before'],
  isWebhook: boolean,
): Map<string, Part> {
  const direction = isWebhook ? 'answer' : 'request'
  const headers = { type: 'parameter', side: isWebhook ? 'webhook header' : 'header' } as const
  const parts = [
    ...ofContent(operation.requestBody?.content, `${at}/requestBody/content`, {
      side: isWebhook ? 'webhook' : 'request',
      direction,
    }),
    ...(operation.parameters ?? []).map((parameter, index) =>
      headerOf(contract, parameter, `${at}/parameters/${index}`, { ...headers, direction }),
    ),
    ...(isWebhook ? [] : ofResponses(contract, operation, at)),
  ]
  return new Map(parts.map((part) => [`${part.side} ${part.name}`, part]))
}

interface Header {
  name?: string
  schema: Schema
  required?: boolean
  deprecated?: boolean
}

function headerOf(contract: Contract, node: object, listed: string, sent: Sent, key = ''): Part {
  const { deprecated: _, ...header } = resolve(contract, node) as Header
  const { name = key, schema, required: isRequired = false, ...rest } = header
  const at = pointerOf(node) ?? listed
  return { ...sent, name, isRequired, field: name, schema, at, listed, rest }
}

/** The successful responses are one side, since clients rely on what they hold and not on 200. */
const sideOf = (status: string): string => (status.startsWith('2') ? 'answer' : `error ${status}`)

function ofResponses(contract: Contract, { responses }: OperationObject, at: string): Part[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const { content, headers = {} } = resolve(contract, response)
    const own = pointerOf(response) ?? `${at}/responses/${status}`
    const [side, direction] = [sideOf(status), 'answer'] as const
    const sent = { type: 'response header', side: `${side} header`, direction } as const
    return [
      ...ofContent(content, `${own}/content`, { side, direction }),
      ...Object.entries(headers).map(([name, header]) =>
        headerOf(contract, header as object, `${own}/headers/${escapeKey(name)}`, sent, name),
      ),
    ]
  })
}

function ofContent(
  content: Record<string, { schema: Schema }> = {},
  at: string,
  sent: Omit<Sent, 'type'>,
): Part[] {
  return Object.entries(content).map(([name, { schema }]) => {
    const listed = `${at}/${escapeKey(name)}`
    const own = { name, schema, at: listed, listed, field: '', isRequired: false }
    return { type: 'media type', ...sent, ...own }
  })
}

const pointerOf = (node: object): string | undefined =>
  '$ref' in node && typeof node.$ref === 'string' ? node.$ref.slice(1) : undefined
