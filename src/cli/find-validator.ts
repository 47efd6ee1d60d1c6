import { webhooks as platformWebhooks } from '../../generated/platform/operations.ts'
import {
  operations as undatedOperations,
  validators as undatedValidators,
} from '../../generated/undated.ts'
import { versions } from '../../generated/versions.ts'
import { hintOf } from '../nearest.ts'
import type { Validator } from '../validators/validate.ts'
import { UsageError } from './usage-error.ts'

/** A validator, and what it judges in words. */
export interface Found {
  subject: string
  validator: Validator<unknown>
}

type Part = 'request' | 'response'

/** The validator of one part of an operation in that version. Those of some documents have no versions. */
export async function findOperation(id: string, part: Part, version: string): Promise<Found> {
  const { operations, validators } = await readVersion(version)
  const subject = `${id} ${part}`
  if (isKey(id, operations)) return { subject, validator: (await validators[id]())[part] }
  if (isKey(id, undatedOperations))
    return { subject, validator: (await undatedValidators[id]())[part] }
  const hint = hintOf(id, [...Object.keys(operations), ...Object.keys(undatedOperations)])
  throw new UsageError(`there is no operation ${id}${hint}`)
}

/** The validator of the event that a body says it is; undefined for an event that is not known. */
export async function findEvent(body: unknown, version: string): Promise<Found | undefined> {
  const { webhooks } = await readVersion(version)
  const { webhook_type, webhook_code } = Object(body) as Record<string, unknown>
  const name = `${webhook_type}.${webhook_code}`
  const subject = `${name} webhook`
  if (isKey(name, webhooks)) {
    const known = await import('#contract/validators/webhooks.js')
    return { subject, validator: known[webhooks[name].schema] }
  }
  if (!isKey(name, platformWebhooks)) return undefined
  const known = await import('../../generated/platform/validators/webhooks.js')
  return { subject, validator: known[platformWebhooks[name].schema] }
}

async function readVersion(version: string) {
  if (isKey(version, versions)) return versions[version]()
  const known = Object.keys(versions).join(', ')
  throw new UsageError(`--api-version must be one of: ${known}`)
}

const isKey = <Table extends object>(key: string, table: Table): key is keyof Table & string =>
  Object.hasOwn(table, key)
