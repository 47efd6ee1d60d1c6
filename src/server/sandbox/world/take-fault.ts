import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorKey, errorCatalogue } from '../../../../generated/errors.ts'
import type { Database, Queries } from '../../kernel/database.ts'
import { ApiError } from '../../kernel/errors.ts'
import { withLists } from '../../kernel/list-text.ts'
import { findKey } from '../../pipeline/check-fields.ts'
import type { WithoutPermit } from '../../pipeline/concurrency-limiter.ts'
import type { FaultEffect, InjectedFault, TakeFault } from '../../pipeline/injected-fault.ts'
import type { OperationRow } from '../../versions/select-version.ts'
import { findInjectedError, spendInjectedError } from './store.ts'

/** A fault as it is stored. Each call gets one of these effects. */
export interface Fault {
  error_code?: string
  delay_ms?: number
  drop?: true
  unknown_enum?: true
}

/** Takes the oldest pending fault for this operation and, if the fault names one, this Item. */
export const createTakeFault =
  ({ transaction }: Pick<Database, 'transaction'>): TakeFault =>
  ({ client, operationId, accessTokenHash }) => {
    const take = async (db: Queries) => {
      const call = { clientId: client.client_id, operationId, accessTokenHash }
      const injected = await findInjectedError(db, call)
      if (!injected) return undefined
      await spendInjectedError(db, injected)
      return toInjectedFault(JSON.parse(injected.fault) as Fault)
    }
    // A transaction of two statements, marked as short. So it does not wait behind long requests of
    // its client.
    return transaction(take, { owner: client.client_id, isShort: true })
  }

export function effectOf({ error_code, delay_ms, drop }: Fault): FaultEffect {
  if (error_code !== undefined) return 'error'
  if (delay_ms !== undefined) return 'delay'
  return drop ? 'drop' : 'unknown_enum'
}

const toInjectedFault = (fault: Fault): InjectedFault => ({
  effect: effectOf(fault),
  before: (operation, withoutPermit) => delayOrReject(fault, operation, withoutPermit),
  drops: fault.drop ?? false,
  change: (answer, operation) =>
    fault.unknown_enum ? withUnknownEnum(withLists(answer), operation) : answer,
})

/** The effect before the operation: a pause, which holds no permit, or an error. */
async function delayOrReject(
  { delay_ms, error_code }: Fault,
  operation: OperationRow,
  withoutPermit: WithoutPermit,
): Promise<void> {
  if (delay_ms !== undefined) await withoutPermit(() => sleep(delay_ms))
  if (error_code === undefined) return
  const key = findKey(Object.values(operation.errors).flat(), error_code)
  if (key) throw new ApiError(key, retryHint(key))
}

/** Seconds for `Retry-After`, which the contract asks of these statuses. */
const retryHint = (key: ErrorKey) =>
  [429, 503].includes(errorCatalogue[key].status) ? { retryAfter: 60 } : {}

/** Returns a response with an unknown enum value and an unknown field. */
function withUnknownEnum(body: object, operation: OperationRow): Record<string, unknown> {
  const changed = { ...(structuredClone(body) as Record<string, unknown>), x_unknown_field: true }
  operation.enums.find((place) => replaceFirst(changed, place.split('.')))
  return changed
}

const unknownValue = 'VALUE_OF_A_NEWER_VERSION'

/** Replaces the first value at a path such as `accounts[].type`. Returns false if there is none. */
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
