import type { ErrorObject, ValidateFunction } from 'ajv'
import { currentVersion } from '../../generated/versions.ts'
import { type Replay, replayOf } from '../conform/replay.ts'
import { type Contract, eachWebhook, resolve, type WebhookEntry } from '../contract/document.ts'
import { FormCompiler } from '../contract/form-compiler.ts'
import { judgeBody } from '../contract/judge-answer.ts'
import { readDocument } from '../contract/read-document.ts'
import { toPath } from '../validators/issues.ts'
import { UsageError } from './usage-error.ts'

type Fields = Record<string, unknown>

/** An event as the contract describes it. */
export interface DescribedEvent {
  contract: Contract
  schema: WebhookEntry['schema']
  example: Fields
  /** The calls that make it happen, where the contract says so. */
  replay: Replay | undefined
}

/** The documents that describe events. */
export const documentsOf = (): readonly string[] => [currentVersion, 'platform']

/** Looks an event up in the documents. */
export function describeEvent(name: string, documents: readonly string[]): DescribedEvent {
  for (const document of documents) {
    const contract = readDocument(document)
    const found = eachWebhook(contract).find((one) => one.name === name)
    const { examples = {} } = found?.webhook.requestBody.content['application/json'] ?? {}
    const [first] = Object.values(examples)
    if (!found || !first) continue
    const example = resolve(contract, first)
    const replay = replayOf(example)
    return { contract, schema: found.schema, example: example.value as Fields, replay }
  }
  throw new Error(`${name} has no example`)
}

/** What `--set` says, each as `field=value` or `field.part=value`. A value is JSON, or else a text. */
export function readFields(sets: readonly string[]): Fields {
  const fields: Fields = {}
  for (const set of sets) {
    const [, path, text] = /^([a-z][\w.]*)=(.*)$/s.exec(set) ?? []
    if (path === undefined || text === undefined) {
      throw new UsageError('--set must be field=value, such as error.error_code=ITEM_LOCKED')
    }
    put(fields, path.split('.'), parseValue(text))
  }
  return fields
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function put(fields: Fields, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    Object.defineProperty(fields, name, { value, enumerable: true, writable: true })
    return
  }
  const own = Object.hasOwn(fields, name) ? fields[name] : undefined
  const part: Fields = isObject(own) ? own : {}
  put(fields, [name], part)
  put(part, rest, value)
}

/** Checks fields by the contract. A number becomes a text where the contract has one: `--set item_id=12`. */
export function fitFields({ contract, schema, example }: DescribedEvent, fields: Fields): Fields {
  const compiled = new FormCompiler(contract, 'exact').compile(schema)
  const fitting = withTexts(fields, textPaths(compiled, merge(example, fields)))
  const [finding] = judgeBody(compiled, merge(example, fitting))
  if (finding) throw new UsageError(`--set: ${finding.field || 'the event'} ${finding.message}`)
  return fitting
}

/** Where a body has something else, and the contract wants a text. */
const textPaths = (validate: ValidateFunction, body: Fields): string[] =>
  validate(body)
    ? []
    : (validate.errors ?? [])
        .filter(wantsText)
        .map(({ instancePath }) => toPath(instancePath, body).path)

const wantsText = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'type' && [params['type']].flat().includes('string')

/** The same fields, with those at some paths as texts. */
const withTexts = (fields: Fields, paths: readonly string[], above = ''): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const path = above + name
      if (isObject(value)) return [name, withTexts(value, paths, `${path}.`)]
      const isScalar = typeof value === 'number' || typeof value === 'boolean'
      return [name, isScalar && paths.includes(path) ? String(value) : value]
    }),
  )

/** Objects are merged, everything else is replaced. */
function merge(body: Fields, own: Fields): Fields {
  const merged = { ...body }
  for (const [name, value] of Object.entries(own)) {
    const before = merged[name]
    merged[name] = isObject(value) && isObject(before) ? merge(before, value) : value
  }
  return merged
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
