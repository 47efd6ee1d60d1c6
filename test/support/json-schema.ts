import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  registerSchema,
  setShouldValidateSchema,
  validate,
} from '@hyperjump/json-schema/draft-2020-12'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  type Contract,
  componentName,
  documents,
  eachExample,
  eachOperation,
  eachWebhook,
  generatedFolder,
  readBundle,
  requestSchema,
  responseSchema,
  type Schema,
} from '../../scripts/contract/contract.ts'
import { published } from '../../src/contract/published.ts'
import type { Validator } from '../../src/validators/validate.ts'

export type Check = (value: unknown) => boolean

// The bundle is linted as a whole elsewhere; checking it here again would take seconds.
setShouldValidateSchema(false)

/** Compiles components, as they are published, by an implementation that is no relative of ours. */
export function independent(contract: Contract): (name: string) => Promise<Check> {
  const id = `https://reference.invalid/${contract.info['x-api-version']}`
  registerSchema(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      components: published(contract).components as never,
    },
    id,
  )
  return async (name) => {
    const check = await validate(`${id}#/components/schemas/${name}`)
    return (value) => check(value as never).valid
  }
}

/** Compiles components, as they are published, by Ajv as it comes, with all formats or none. */
export function stock(contract: Contract, formats = true): (name: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateFormats: formats })
  addFormats.default(ajv)
  const $id = 'https://stock.invalid/contract'
  ajv.addSchema({ $id, components: published(contract).components } as { $id: string })
  return (name) => ajv.getSchema(`${$id}#/components/schemas/${name}`)!
}

const loose = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']

/** The contract without what answers are not held to: enums, lengths and counts. */
export function loosened(contract: Contract): Contract {
  const strike = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(strike)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).filter(([key]) => !loose.includes(key))
    return Object.fromEntries(
      entries.map(([key, value]) => {
        if (key === 'enum' && Array.isArray(value)) return ['type', typesOf(value)]
        // What a condition asks for stays as it is.
        return [key, key === 'if' || key === 'not' || key === 'examples' ? value : strike(value)]
      }),
    )
  }
  return { ...contract, components: strike(contract.components) as Contract['components'] }
}

const typesOf = (values: unknown[]): string[] => [...new Set(values.map((value) => typeof value))]

/** A validator that is exported, and what the contract says of it. */
export interface Subject {
  /** As in `2020-09-14 accountsGet request`. */
  label: string
  version: string
  file: string
  schema: string
  form: 'request' | 'tolerant'
  examples: unknown[]
}

type Role = Pick<Subject, 'file' | 'schema' | 'form'> & { part: string }

function roles(contract: Contract): Role[] {
  const ofOperations = eachOperation(contract).flatMap(({ operation }): Role[] => {
    const file = operation.operationId
    const request = componentName(requestSchema(operation))!
    const response = componentName(responseSchema(contract, operation))!
    return [
      { file, part: 'request', schema: request, form: 'request' },
      { file, part: 'response', schema: response, form: 'tolerant' },
    ]
  })
  const ofWebhooks = eachWebhook(contract).map(({ schema }): Role => {
    const name = componentName(schema)!
    return { file: 'webhooks', part: name, schema: name, form: 'tolerant' }
  })
  return [...ofOperations, ...ofWebhooks]
}

/** The bodies of requests, success answers and webhooks that a document has validators of its own for. */
export function subjectsOf(version: string): Subject[] {
  const contract = readBundle(version)
  const examples = eachExample(contract)
  return roles(contract)
    .filter(({ file }) => existsSync(fileOf(version, file)))
    .map(({ part, ...role }) => {
      const own = examples.filter(({ schema }) => componentName(schema) === role.schema)
      const label = `${version} ${role.file} ${part}`
      return { ...role, label, version, examples: own.map(({ value }) => value) }
    })
}

export const allSubjects = (): Subject[] => documents.flatMap(subjectsOf)

const fileOf = (version: string, file: string): string =>
  join(generatedFolder(version), 'validators', `${file}.js`)

/** The generated validators of one file. */
export async function load(
  version: string,
  file: string,
): Promise<Record<string, Validator<unknown>>> {
  return import(pathToFileURL(fileOf(version, file)).href)
}

/** The generated validator of one subject. */
export async function validatorOf(subject: Subject): Promise<Validator<unknown>> {
  const all = await load(subject.version, subject.file)
  return all[subject.label.split(' ')[2]!]!
}

/** The component of that name, or what a `$ref` to it says. */
export const component = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
