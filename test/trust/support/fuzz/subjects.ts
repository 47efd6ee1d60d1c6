import type { ValidateFunction } from 'ajv'
import fc from 'fast-check'
import { operations, type validators } from '#contract/operations.ts'
import {
  operations as undatedOperations,
  validators as undatedValidators,
} from '../../../../generated/undated.ts'
import { versions as modules, type Version } from '../../../../generated/versions.ts'
import {
  type Contract,
  eachExample,
  eachOperation,
  type OperationObject,
  readBundle,
  requestSchema,
  resolve,
  type Schema,
  versions,
  written,
} from '../../../../scripts/contract/contract.ts'
import { undated } from '../../../../scripts/contract/undated.ts'
import { FormCompiler } from '../../../../src/contract/form-compiler.ts'
import type { Validator } from '../../../../src/validators/validate.ts'
import { instancesOf } from '../../../support/generate-instances.ts'
import { type Mutator, mutator } from '../../../support/mutations.ts'

export type Body = Record<string, unknown>

/** What one version says of an operation. */
export interface Form {
  instances: fc.Arbitrary<Body>
  examples: readonly Body[]
  /** Copies of the examples with one change each. */
  mutants(): readonly unknown[]
  request: Validator<unknown>
  /** The exact form of what is answered with a status; undefined where none is listed. */
  answer(status: number): ValidateFunction | undefined
}

/** An operation or a sandbox endpoint. */
export interface Subject {
  id: string
  path: string
  oauth: boolean
  isSandboxOperation: boolean
  /** Whether it may be done twice as well as once. */
  isRepeatable: boolean
  /** Whether it changes only what its request says. */
  keepsTheRest: boolean
  mediaTypes: readonly string[]
  /** Keys of the catalogue by status. */
  errors: Readonly<Record<string, readonly string[]>>
  /** By dated version; those of documents without versions are the same in all. */
  forms: Readonly<Record<string, Form>>
}

const withoutCredentials = ({ client_id, secret, client_secret, ...rest }: Body): Body => rest

interface Tools {
  contract: Contract
  of(schema: Schema): fc.Arbitrary<unknown>
  mutate: Mutator['mutate']
  /** The exact form of a schema; most errors share one. */
  compile(schema: Schema): ValidateFunction
}

function toolsOf(document: string): Tools {
  const contract = readBundle(document)
  const { mutate } = mutator(contract)
  const compiler = new FormCompiler(contract, 'exact')
  const compiled = new Map<string, ValidateFunction>()
  function compile(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema)
    const known = compiled.get(key) ?? compiler.compile(schema)
    compiled.set(key, known)
    return known
  }
  return { contract, of: instancesOf(contract), mutate, compile }
}

function formOf(tools: Tools, operation: OperationObject, request: Validator<unknown>): Form {
  const { contract, of, mutate } = tools
  const schema = requestSchema(operation)
  const place = `${operation.operationId} request`
  const examples = eachExample(contract)
    .filter((one) => one.place === place && one.mediaType === 'application/json')
    .map(({ value }) => withoutCredentials(value as Body))
  let mutants: readonly unknown[] | undefined
  const answers = new Map<number, ValidateFunction | undefined>()
  const compile = (status: number): ValidateFunction | undefined => {
    const response = operation.responses[String(status)]
    if (!response) return undefined
    const media = resolve(contract, response).content?.['application/json']
    return media && tools.compile(media.schema)
  }
  return {
    instances: of(schema).map((value) => withoutCredentials(value as Body)),
    examples,
    mutants() {
      mutants ??= mutate(schema, ...examples).map(({ value }) => value)
      return mutants
    },
    request,
    answer(status) {
      if (!answers.has(status)) answers.set(status, compile(status))
      return answers.get(status)
    },
  }
}

async function readForms(): Promise<Map<string, Record<string, Form>>> {
  const found = new Map<string, Record<string, Form>>()
  for (const version of versions) {
    const tools = toolsOf(version)
    const { validators: own } = await modules[version as Version]()
    for (const { operation } of eachOperation(tools.contract)) {
      const id = operation.operationId as keyof typeof validators
      const { request } = await own[id]()
      const forms = found.get(id) ?? {}
      found.set(id, { ...forms, [version]: formOf(tools, operation, request) })
    }
  }
  for (const tools of undated.map(toolsOf)) {
    for (const { operation } of eachOperation(tools.contract)) {
      const id = operation.operationId as keyof typeof undatedValidators
      const form = formOf(tools, operation, (await undatedValidators[id]()).request)
      found.set(id, Object.fromEntries(versions.map((version) => [version, form])))
    }
  }
  return found
}

let all: Promise<Subject[]> | undefined

/** Every operation and sandbox endpoint, as its contract describes it. */
export function readSubjects(): Promise<Subject[]> {
  all ??= makeSubjects()
  return all
}

async function makeSubjects(): Promise<Subject[]> {
  const forms = await readForms()
  const described = new Map(
    written
      .flatMap((name) => eachOperation(readBundle(name)))
      .map(({ operation }) => [operation.operationId, operation]),
  )
  return Object.entries({ ...operations, ...undatedOperations }).map(([id, row]) => ({
    id,
    path: row.path,
    oauth: row.oauth,
    isSandboxOperation: id.startsWith('sandbox'),
    isRepeatable: described.get(id)?.['x-retry-safe'] === true,
    keepsTheRest: /What is left out stays as it is/.test(described.get(id)?.description ?? ''),
    mediaTypes: row.mediaTypes,
    errors: row.errors,
    forms: forms.get(id) ?? {},
  }))
}

/** Whether it leaves everything as it is. */
export const isRead = ({ id }: Subject): boolean =>
  /(Get|List|Sync|Search)$/.test(id) && id !== 'sandboxRequestList'

/** What a request is drawn from: mostly what fits, often what nearly does. */
export const bodiesOf = (form: Form): fc.Arbitrary<Body> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...form.examples), weight: 3 },
    { arbitrary: form.instances, weight: 5 },
    { arbitrary: fc.nat(99_999).map((index) => mutantOf(form, index)), weight: 3 },
  )

/** Only what fits. */
export const goodBodiesOf = (form: Form): fc.Arbitrary<Body> =>
  fc.oneof(fc.constantFrom(...form.examples), form.instances)

function mutantOf(form: Form, index: number): Body {
  const mutants = form.mutants()
  return (mutants[index % mutants.length] ?? {}) as Body
}
