import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { described, isRule } from '../../src/contract/published.ts'
import {
  banner,
  type Contract,
  componentName,
  eachOperation,
  eachWebhook,
  generatedFolder,
  generatedFor,
  linksOf,
  reach,
  readBundle,
  requestSchema,
  resolve,
  type Schema,
  written,
} from '../contract/contract.ts'
import { ofClients, ofPages } from '../contract/undated.ts'
import { listValues } from './enums.ts'
import { type Named, nameTypes } from './name-types.ts'
import { withForms } from './request-forms.ts'
import { writeSource } from './source.ts'

/** Writes the TypeScript types of each document, with a named type for each component schema. */
export async function types(): Promise<void> {
  for (const name of generatedFor) {
    writeFileSync(join(generatedFolder(name), 'types.ts'), await typesOf(readBundle(name)))
  }
}

/**
 * Writes the types of what the service itself says: with the values that the contract lists, while
 * callers have to expect new ones.
 */
export function closedTypes(): void {
  for (const name of [...written, ...ofPages]) {
    const contract = readBundle(name)
    const open = [...answerSchemas(contract)].filter(
      (each) => !contract.components.schemas[each]!.enum,
    )
    writeSource(`${name}/closed.ts`, 'generate/types.ts', [
      `import type { Closed } from '../../src/server/kernel/closed.ts'`,
      `import type * as types from './types.ts'`,
      '',
      `export type * from './types.ts'`,
      ...open.sort().map((each) => `export type ${each} = Closed<types.${each}>`),
    ])
  }
}

/** Lists the types that the newest version does not have, of each document that clients call. */
export function ownTypes(): void {
  const { schemas } = readBundle().components
  for (const name of ofClients) {
    const own = Object.keys(readBundle(name).components.schemas).filter((each) => !schemas[each])
    writeSource(`${name}/own-types.ts`, 'generate/types.ts', [
      `export type {\n${own.map((each) => `  ${each},\n`).join('')}} from './types.ts'`,
    ])
  }
}

/** The source of a contract's types. */
export async function typesOf(contract: Contract): Promise<string> {
  const open = answerSchemas(contract)
  const ast = await openapiTypescript(typed(described(contract), open) as OpenAPI3, {
    // A default does not make a request field obligatory.
    defaultNonNullable: false,
    silent: true,
    transform: (schema) => ('x-never' in schema ? neverType : undefined),
  })
  const nodes = nameTypes(ast, namedOf(contract, open))
  const imports = open.size > 0 ? [openImport] : []
  return [banner('generate/types.ts'), ...imports, untagged(astToString(nodes))].join('\n')
}

const neverType = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword)
const openImport = `import type { Open } from '../../src/client/open.ts'\n`

/** The schemas that the service sends and never takes. */
function answerSchemas(contract: Contract): Set<string> {
  const sent = eachOperation(contract).flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap((response) => linksOf(resolve(contract, response))),
  )
  const webhooks = eachWebhook(contract).map(({ schema }) => componentName(schema)!)
  const taken = eachOperation(contract).map(
    ({ operation }) => componentName(requestSchema(operation))!,
  )
  const requests = reach(contract, taken)
  return new Set([...reach(contract, [...sent, ...webhooks])].filter((name) => !requests.has(name)))
}

function namedOf(contract: Contract, open: ReadonlySet<string>): Named {
  const { schemas } = contract.components
  const names = new Map(
    eachWebhook(contract).map(({ name, schema }) => [componentName(schema)!, name.split('.')]),
  )
  return {
    // An enum itself has the values that are known.
    isOpen: (name) => open.has(name) && !schemas[name]!.enum,
    isEnum: (name) => schemas[name]?.enum !== undefined,
    fixedFields: (name) =>
      Object.entries(schemas[name]!.properties ?? {})
        .filter(([, { enum: values = [] }]) => values.length === 1)
        .filter(([, { enum: values = [] }]) => names.get(name)?.includes(String(values[0])))
        .map(([field]) => field),
  }
}

/** Puts descriptions into the body of comments, which every editor shows first, apart from what precedes them. */
const untagged = (source: string): string =>
  source
    .replaceAll('/** @description ', '/** ')
    .replaceAll(/(\/\*\*)?\n( *\*) @description /g, (_, start: string | undefined, line: string) =>
      start ? `${start}\n${line} ` : `\n${line}\n${line} `,
    )

/** The contract as types are made of it: with forms of requests, and without all other rules. */
function typed(contract: Contract, open: ReadonlySet<string>): unknown {
  const replaced = new Map(
    eachOperation(contract).map(({ operation }) => [
      componentName(requestSchema(operation)),
      operation['x-bearer-replaces'] as string | undefined,
    ]),
  )
  const schemas = Object.entries(contract.components.schemas).map(([name, schema]) => [
    name,
    open.has(name) ? schema : withForms(contract, schema, replaced.get(name)),
  ])
  return withoutRules({
    ...contract,
    components: { ...contract.components, schemas: Object.fromEntries(schemas) },
  })
}

const ruleLists = ['allOf', 'anyOf', 'oneOf']
const ruleKeywords = ['if', 'then', 'else', 'not']

/** Leaves out the rules between fields: as types they say nothing, or spoil what stands beside. */
function withoutRules(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRules)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(withValues(node)).flatMap(([key, value]) => {
    if (ruleKeywords.includes(key)) return []
    if (!ruleLists.includes(key) || !Array.isArray(value)) return [[key, withoutRules(value)]]
    const parts = (value as Schema[]).filter((part) => !isRule(part) || part.oneOf)
    return parts.length > 0 ? [[key, parts.map(withoutRules)]] : []
  })
  return Object.fromEntries(entries)
}

/** Adds to a schema's description what its values mean. */
function withValues(node: object): object {
  const schema = node as Schema
  const list = listValues(schema)
  return list ? { ...schema, description: `${schema.description ?? ''}\n\n${list}`.trim() } : schema
}
