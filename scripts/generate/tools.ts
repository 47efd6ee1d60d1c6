import {
  type Contract,
  eachOperation,
  linksOf,
  type OperationEntry,
  reach,
  readBundle,
  requestSchema,
  resolve,
  responseSchema,
  type Schema,
} from '../contract/contract.ts'
import { ofPages, sandbox } from '../contract/undated.ts'
import { plainNames } from './plain-fields.ts'
import { declare, writeSource } from './source.ts'

/** The documents whose operations can be tools of agents. */
const sources = [...ofPages, sandbox] as const

interface ToolMark {
  name: string
  /** The operation whose answer it gives, if that is another one. */
  answer?: string
}

/** Writes the tools of agents: each is an operation with `x-tool`, in the order of the documents. */
export function tools(): void {
  const contracts = sources.map((name) => ({ name, contract: readBundle(name) }))
  const rows = contracts.flatMap(({ name, contract }) =>
    eachOperation(contract).flatMap((entry) => {
      const mark = entry.operation['x-tool'] as ToolMark | undefined
      if (!mark) return []
      const answered = contracts
        .flatMap((one) => eachOperation(one.contract).map((other) => ({ ...one, other })))
        .find(({ other }) => other.operation.operationId === (mark.answer ?? idOf(entry)))
      if (!answered) throw new Error(`x-tool of ${idOf(entry)}: there is no ${mark.answer}`)
      const { summary, description } = entry.operation
      return {
        name: mark.name,
        title: summary,
        description,
        acts: name === sandbox,
        operationId: idOf(entry),
        input: inputOf(contract, entry),
        output: outputOf(answered.contract, answered.other),
        plain: plainOf(answered.contract, answered.other),
      }
    }),
  )
  const list = rows.map((row) => `  ${JSON.stringify(row)},\n`).join('')
  writeSource('tools.ts', 'generate/tools.ts', [
    declare(
      'The tools of agents, with JSON Schemas that need nothing from outside.',
      `const tools = [\n${list}] as const`,
    ).trimEnd(),
  ])
}

const idOf = ({ operation }: OperationEntry): string => operation.operationId

/** An agent has no credentials and no tokens, and it looks at one client only. */
const isKeptBack = (field: string): boolean => /^(client_id|secret)$|_token$/.test(field)

/** The request without what an agent lacks. Some clients take no choice at the top: the service checks it. */
function inputOf(contract: Contract, { operation }: OperationEntry): Schema {
  const whole = resolve(contract, requestSchema(operation))
  const { oneOf: _one, anyOf: _any, allOf: _all, not: _not, ...schema } = whole
  const fields = Object.entries(schema.properties ?? {}).filter(([field]) => !isKeptBack(field))
  const closed = { ...schema, additionalProperties: false, properties: Object.fromEntries(fields) }
  return standing(contract, closed, false)
}

/** The answer, and which of its texts come from outside. */
function outputOf(contract: Contract, { operation }: OperationEntry): Schema {
  const outer: Schema = {
    type: 'object',
    required: ['notice', 'from_outside', 'answer'],
    properties: {
      notice: { type: 'string', description: 'What the texts in `from_outside` are.' },
      from_outside: {
        type: 'array',
        items: { type: 'string' },
        description:
          'JSON Pointers to the texts in `answer` that come from outside of the service.',
      },
      answer: responseSchema(contract, operation),
    },
  }
  return standing(contract, outer, true)
}

/** The fields of the answer whose values only the service chooses. */
function plainOf(contract: Contract, { operation }: OperationEntry): string[] {
  const answer = resolve(contract, responseSchema(contract, operation))
  const named = contract.components.schemas
  const parts = [...reach(contract, linksOf(answer))].map((name) => named[name] as Schema)
  return plainNames([{ schemas: [answer, ...parts], named }])
}

/** A schema with all that it refers to, as short as it can be: an agent pays for each word. */
function standing(contract: Contract, schema: Schema, isAnswer: boolean): Schema {
  const names = [...reach(contract, linksOf(schema))].sort()
  const parts = names.map((name) => [name, contract.components.schemas[name]])
  const whole = names.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(parts) }
  const text = JSON.stringify(shortened(whole, isAnswer))
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Schema
}

/** Without examples and extensions, and in answers without texts: the names tell what fields mean. */
function shortened(schema: unknown, isAnswer: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((part) => shortened(part, isAnswer))
  if (typeof schema !== 'object' || schema === null) return schema
  const isLeftOut = (name: string, value: unknown): boolean =>
    name.startsWith('x-') ||
    (name === 'examples' && Array.isArray(value)) ||
    (isAnswer && name === 'description' && typeof value === 'string')
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !isLeftOut(name, value))
      .map(([name, value]) => [name, shortened(value, isAnswer)]),
  )
}
