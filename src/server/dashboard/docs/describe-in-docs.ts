import { readFile } from 'node:fs/promises'
import type {
  DashboardDocsField,
  DashboardDocsOperationGetResponse,
} from '../../../../generated/dashboard/closed.ts'
import { errorCatalogue } from '../../../../generated/errors.ts'
import {
  type Contract,
  eachOperation,
  type OperationEntry,
  requestSchema,
  resolve,
  responseSchema,
  type Schema,
} from '../../../contract/document.ts'
import { bundleFile } from '../../kernel/files.ts'
import type { AnyOperationId } from '../../kernel/operation.ts'
import { currentVersion, describeOperation } from '../../versions/select-version.ts'

type Description = Omit<DashboardDocsOperationGetResponse, 'request_id'>

const mostFields = 300
const deepest = 5

/** An operation of the newest version, by its operationId or path. Or the names that there are. */
export async function describeInDocs(
  asked: string,
  environment: string,
): Promise<Description | string[]> {
  const known: string[] = []
  const names = [currentVersion, 'platform', ...(environment === 'sandbox' ? ['sandbox'] : [])]
  for (const name of names) {
    // Read at each call: kept in memory, the documents would take some megabytes for good.
    const contract = JSON.parse(await readFile(bundleFile(name), 'utf8')) as Contract
    const entries = eachOperation(contract)
    const found = entries.find(
      ({ path, operation }) => path === asked || operation.operationId === asked,
    )
    if (found) return describe(contract, found)
    known.push(...entries.flatMap(({ path, operation }) => [operation.operationId, path]))
  }
  return known
}

async function describe(
  contract: Contract,
  { path, operation }: OperationEntry,
): Promise<Description> {
  const { operationId, summary, description } = operation
  const row = (await describeOperation(operationId as AnyOperationId, currentVersion)).operation
  const keys = [...new Set(Object.values(row.errors).flat())]
  return {
    operation_id: operationId,
    path,
    summary,
    description,
    retry_safe: operation['x-retry-safe'] === true,
    request_fields: fieldsOf(contract, requestSchema(operation)),
    answer_fields: fieldsOf(contract, responseSchema(contract, operation)),
    errors: keys.map((key) => {
      const { code, status, meaning, action } = errorCatalogue[key as keyof typeof errorCatalogue]
      return { error_code: code, status, meaning, action }
    }),
  }
}

/** The fields of a body, each before those inside of it. */
function fieldsOf(contract: Contract, schema: Schema): DashboardDocsField[] {
  const fields: DashboardDocsField[] = []
  const visit = (node: Schema, path: string, depth: number): void => {
    if (depth > deepest) return
    for (const part of choicesOf(contract, node)) {
      if (part.items) visit(part.items, `${path}[]`, depth)
      for (const [name, value] of Object.entries(part.properties ?? {})) {
        const field = path === '' ? name : `${path}.${name}`
        if (fields.length >= mostFields) return
        if (fields.some((known) => known.field === field)) continue
        fields.push({
          field,
          type: typeOf(contract, value),
          required: part.required?.includes(name) ?? false,
          description: value.description ?? resolve(contract, value).description ?? '',
        })
        visit(value, field, depth + 1)
      }
    }
  }
  visit(schema, '', 1)
  return fields
}

/** A schema and the schemas that it consists of. */
function choicesOf(contract: Contract, schema: Schema): Schema[] {
  const whole = resolve(contract, schema)
  const { allOf = [], anyOf = [], oneOf = [] } = whole
  return [whole, ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => choicesOf(contract, part))]
}

function typeOf(contract: Contract, schema: Schema): string {
  const types = choicesOf(contract, schema).flatMap(({ type }) => type ?? [])
  return [...new Set(types)].join(' or ') || 'any'
}
