import {
  type Contract,
  eachOperation,
  eachWebhook,
  type OperationObject,
  requestSchema,
  responseSchema,
  type Schema,
} from '../../scripts/contract/contract.ts'
import { accountRules } from './body-rules-accounts.ts'
import { identityRules } from './body-rules-identity.ts'
import { moneyRules } from './body-rules-money.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, which their rules look into
export type Body = Record<string, any>

/** What the fields of a body say of each other, once more and by hand: the contract must agree. */
export interface BodyRule {
  schema: string
  /** Changes to the schema's example, or whole bodies where it has none; what is tried is put into each. */
  starts: Body[]
  /** Values for each field, by its path; undefined leaves it out. */
  fields: Record<string, readonly unknown[]>
  holds(body: Body): boolean
}

export const bodyRules: BodyRule[] = [...accountRules, ...identityRules, ...moneyRules]

/** Whether at most one of the values is there and not null. */
export const atMostOne = (...values: unknown[]): boolean =>
  values.filter((value) => value != null).length < 2

/** Whether a body says so only where it may. */
export const onlyIf = (said: boolean, allowed: boolean): boolean => !said || allowed

function put(body: Body, path: string, value: unknown): Body {
  const [key = '', ...rest] = path.split('.')
  if (rest.length > 0) return { ...body, [key]: put(body[key] ?? {}, rest.join('.'), value) }
  const { [key]: _, ...others } = body
  return value === undefined ? others : { ...others, [key]: value }
}

/** Every start with each pair of fields in all of their values. */
export function* bodiesOf({ starts, fields }: BodyRule, example: Body): Generator<Body> {
  const names = Object.keys(fields)
  for (const start of starts) {
    const whole = Object.entries(start).reduce(
      (body, [path, value]) => put(body, path, value),
      example,
    )
    yield whole
    for (const [index, one] of names.entries()) {
      for (const other of names.slice(index)) {
        for (const value of fields[one]!) {
          const changed = put(whole, one, value)
          if (one === other) yield changed
          else for (const second of fields[other]!) yield put(changed, other, second)
        }
      }
    }
  }
}

type Compile = (form: 'request' | 'exact', schema: Schema) => (value: unknown) => unknown

/** Bodies of operations and webhooks that may be something else than an object. */
export function nullBodies(contract: Contract, compile: Compile, isWanted = (_: string) => true) {
  const takesNull = (form: 'request' | 'exact', schema: Schema) =>
    [null, [], 'text'].some((value) => compile(form, schema)(value))
  const ofOperation = (operation: OperationObject): string[] => [
    ...(takesNull('request', requestSchema(operation)) ? [`${operation.operationId} request`] : []),
    ...(takesNull('exact', responseSchema(contract, operation))
      ? [`${operation.operationId} answer`]
      : []),
  ]
  const operations = eachOperation(contract).map(({ operation }) => operation)
  const webhooks = eachWebhook(contract).filter(({ name }) => isWanted(name))
  return [
    ...operations.filter(({ operationId }) => isWanted(operationId)).flatMap(ofOperation),
    ...webhooks.filter(({ schema }) => takesNull('exact', schema)).map(({ name }) => name),
  ]
}
