import {
  type Contract,
  eachExample,
  eachOperation,
  eachWebhook,
  type MediaType,
  type OperationObject,
  type ResponseObject,
  readBundle,
  requestSchema,
  resolve,
  type Schema,
} from '../../../../scripts/contract/contract.ts'
import { undated } from '../../../../scripts/contract/undated.ts'
import { codeOf } from '../../../../src/contract/code-of.ts'
import { type Broken, concerns, inGroups } from './broken.ts'
import { type Answer, type Corpus, keyOf } from './corpus.ts'

/** The webhooks of the documents without versions. */
const elsewhere = new Set(
  undated.flatMap((name) => eachWebhook(readBundle(name)).map((webhook) => webhook.name)),
)

type Operations = Map<string, OperationObject>

const operationsIn = (contract: Contract): Operations =>
  new Map(eachOperation(contract).map(({ operation }) => [operation.operationId, operation]))

/** What the contract's own examples say against it. */
export function* byExamples(whole: Broken): Generator<string> {
  for (const group of inGroups(whole)) {
    for (const { operationId, place, name, schema, value } of eachExample(group.contract)) {
      const webhook = place.replace(/ webhook$/, '')
      const isOwn = operationId ? group.ids.includes(operationId) : group.webhooks.includes(webhook)
      if (!isOwn || !concerns(group, schema)) continue
      const isRequest = place.endsWith(' request')
      const fits = group.compiled(isRequest ? 'request' : 'exact', schema)
      if (!fits(value)) yield `${place} ${name}`
    }
  }
}

/** What the service answered and sent, held against the contract, closed. */
export function* byAnswers(whole: Broken, corpus: Corpus): Generator<string> {
  for (const group of inGroups(whole)) {
    const operations = operationsIn(group.contract)
    for (const id of group.ids) {
      const { answers } = corpus.exchanges.get(keyOf(group.version, id)) ?? { answers: [] }
      const operation = operations.get(id)
      if (!operation) yield `${id} is not there`
      else for (const answer of answers) yield* ofAnswer(group, operation, answer)
    }
    yield* ofWebhooks(group, corpus)
  }
  const names = eachWebhook(whole.contract).map(({ name }) => name)
  for (const name of corpus.webhooks.keys()) {
    if (!names.includes(name) && !elsewhere.has(name)) yield `${name} is not there`
  }
}

function* ofAnswer(broken: Broken, operation: OperationObject, answer: Answer): Generator<string> {
  const { contract } = broken
  const { status, code, body, headers } = answer
  const own = operation.responses[status]
  const response = own && resolve<ResponseObject>(contract, own)
  const media = response?.content?.['application/json']
  if (!response || !media) return yield `${operation.operationId} ${status} is not described`
  const what = `${operation.operationId} ${status} ${code ?? ''}`
  const isTouched = concerns(broken, media.schema)
  if (isTouched && !broken.compiled('exact', media.schema)(body)) yield `${what} does not fit`
  if (code !== undefined && !listed(contract, media, body)) yield `${what} is not listed`
  yield* ofHeaders(broken, response, headers)
}

function listed(contract: Contract, { examples = {} }: MediaType, body: unknown): boolean {
  const { error_type, error_code, error } = body as Record<string, unknown>
  return Object.values(examples).some((example) => {
    const value = resolve(contract, example).value as Record<string, unknown>
    return (
      value['error_type'] === error_type &&
      (value['error_code'] ?? value['error']) === (error_code ?? error)
    )
  })
}

// What HTTP itself, or every answer of a server, has.
const common = /^(content-|access-control-|date$|vary$|cache-control$|connection$|keep-alive$)/

function* ofHeaders(
  { contract, compiled }: Broken,
  response: ResponseObject,
  headers: Record<string, string>,
): Generator<string> {
  const declared = Object.entries(response.headers ?? {})
  for (const [name, value] of Object.entries(headers)) {
    if (common.test(name)) continue
    const found = declared.find(([own]) => own.toLowerCase() === name)?.[1]
    if (!found) yield `the header ${name} is not described`
    else {
      const { schema } = resolve(contract, found as { schema: Schema })
      const [number, text] = [Number(value), String(value)]
      const fits = compiled('exact', schema)
      if (!fits(schema.type === 'integer' ? number : text)) yield `the header ${name} does not fit`
    }
  }
}

function* ofWebhooks(group: Broken, corpus: Corpus): Generator<string> {
  const schemas = new Map(eachWebhook(group.contract).map(({ name, schema }) => [name, schema]))
  for (const name of group.webhooks) {
    const schema = schemas.get(name)
    if (schema && !concerns(group, schema)) continue
    const fits = schema && group.compiled('exact', schema)
    for (const body of corpus.webhooks.get(name) ?? []) {
      if (!fits?.(body)) yield `${name} does not fit`
    }
  }
}

/** What the service's tests asked for, and whether their fields were to be accepted. */
export function* byRequests(whole: Broken, corpus: Corpus): Generator<string> {
  for (const group of inGroups(whole)) {
    const operations = operationsIn(group.contract)
    for (const id of group.ids) {
      const { requests } = corpus.exchanges.get(keyOf(group.version, id)) ?? { requests: [] }
      const operation = operations.get(id)
      if (!operation || requests.length === 0) continue
      const schema = requestSchema(operation)
      if (!concerns(group, schema)) continue
      const validator = group.requestOf(schema)
      for (const { body, code } of requests) {
        const verdict = codeOf(validator.issues(body), id.startsWith('oauth'))
        if (verdict !== code) yield `${id}: ${code ?? 'accepted'} is now ${verdict ?? 'accepted'}`
      }
    }
  }
}
