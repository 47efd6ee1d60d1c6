import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import {
  banner,
  type Contract,
  documents,
  generatedFolder,
  readBundle,
  type Schema,
} from '../contract/contract.ts'
import { isRule } from '../contract/schema-forms.ts'

/** Writes the TypeScript types of each document, with a named type for each component schema. */
export async function types(names = documents): Promise<void> {
  for (const name of names) {
    writeFileSync(join(generatedFolder(name), 'types.ts'), await typesOf(readBundle(name)))
  }
}

/** The source of a contract's types. */
export async function typesOf(contract: Contract): Promise<string> {
  const ast = await openapiTypescript(withoutRules(contract) as OpenAPI3, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
    // A default does not make a request field obligatory.
    defaultNonNullable: false,
    silent: true,
  })
  return banner('generate/types.ts') + astToString(ast)
}

const ruleLists = ['allOf', 'anyOf', 'oneOf']
const ruleKeywords = ['if', 'then', 'else', 'not']

/** Leaves out the rules between fields: as types they say nothing, or spoil what stands beside. */
function withoutRules(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRules)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).flatMap(([key, value]) => {
    if (ruleKeywords.includes(key)) return []
    if (!ruleLists.includes(key) || !Array.isArray(value)) return [[key, withoutRules(value)]]
    const typed = (value as Schema[]).filter((part) => !isRule(part))
    return typed.length > 0 ? [[key, typed.map(withoutRules)]] : []
  })
  return Object.fromEntries(entries)
}
