import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientRow } from '../../kernel/context.ts'
import type { Queries } from '../../kernel/database.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { AnyOperationId } from '../../kernel/operation.ts'
import type { Service } from '../../kernel/service.ts'
import { findKey } from '../../pipeline/check-fields.ts'
import type { Outside } from '../../pipeline/places.ts'
import type { OperationRow } from '../../versions/versions.ts'
import { findInjectedError, spendInjectedError } from './store.ts'

/** What a test asked for: one of these happens to a call. */
export interface Fault {
  error_code?: string
  delay_ms?: number
  drop?: true
  unknown_enum?: true
}

/** Makes the HTTP edge close the connection without an answer. */
export class DroppedConnection extends Error {}

/** Takes the oldest fault that waits for this operation and, where it names one, this Item. */
export function takeFault(
  service: Service,
  client: ClientRow,
  operationId: AnyOperationId,
  accessTokenHash: string | undefined,
): Promise<Fault | undefined> {
  const take = async (db: Queries) => {
    const place = { clientId: client.client_id, operationId, accessTokenHash }
    const injected = await findInjectedError(db, place)
    if (!injected) return undefined
    await spendInjectedError(db, injected)
    return JSON.parse(injected.fault) as Fault
  }
  // Two statements: no call is to wait for it behind those of its client that take long.
  return service.database.transaction(take, { owner: client.client_id, isShort: true })
}

/** What happens before the operation: a pause, which takes no place from others, or a refusal. */
export async function applyFault(
  fault: Fault | undefined,
  operation: OperationRow,
  outside: Outside,
): Promise<void> {
  if (!fault) return
  const { delay_ms } = fault
  if (delay_ms !== undefined) await outside(() => sleep(delay_ms))
  if (fault.error_code === undefined) return
  const key = findKey(Object.values(operation.errors).flat(), fault.error_code)
  if (key) throw new ApiError(key, retryHint(key))
}

const retryHint = (key: string) => (/LIMIT$/.test(key) ? { retryAfter: 60 } : {})

/** An answer with one value of an enum, and one field, that no contract knows. */
export function withUnknownEnum(body: object, operation: OperationRow): Record<string, unknown> {
  const changed = { ...(structuredClone(body) as Record<string, unknown>), x_unknown_field: true }
  operation.enums.find((place) => replaceFirst(changed, place.split('.')))
  return changed
}

const unknownValue = 'VALUE_OF_A_NEWER_VERSION'

/** Replaces the first value at a place such as `accounts[].type`; false when there is none. */
function replaceFirst(node: unknown, [step = '', ...rest]: string[]): boolean {
  if (typeof node !== 'object' || node === null) return false
  const holder = node as Record<string, unknown>
  const name = step.replaceAll('[]', '')
  const depth = (step.length - name.length) / 2
  if (depth === 0 && rest.length === 0) {
    if (typeof holder[name] !== 'string') return false
    holder[name] = unknownValue
    return true
  }
  const value = holder[name]
  if (depth === 0) return replaceFirst(value, rest)
  if (!Array.isArray(value)) return false
  if (rest.length > 0) return value.some((element) => replaceFirst(element, rest))
  if (value.length === 0) return false
  value[0] = unknownValue
  return true
}
