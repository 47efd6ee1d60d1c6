import {
  operations as undatedOperations,
  validators as undatedValidators,
} from '../../../generated/undated.ts'
import { currentVersion, type Version, versions } from '../../../generated/versions.ts'
import type { Validator } from '../../validators/validate.ts'
import { ApiError } from '../kernel/errors.ts'
import type { AnyOperationId } from '../kernel/operation.ts'

export { currentVersion, type Version }

/** Calls a minute, by whom or what they are counted. */
export interface RateLimit {
  per_client?: number
  per_item?: number
  per_report?: number
  /** Operations that are counted together. */
  shared_with?: string
}

/** What of an operation's row of the generated table is read here. */
export interface OperationRow {
  path: string
  tag: string
  mediaTypes: readonly string[]
  oauth: boolean
  bearerReplaces: string | null
  /** Whether it takes an `Idempotency-Key`. */
  idempotencyKey?: boolean
  /** The keys of the error catalogue that it lists, by HTTP status. */
  errors: Readonly<Record<string, readonly string[]>>
  /** The places of its answer that hold a value of an enum. */
  enums: readonly string[]
  /** By environment; production has none for the sandbox API. */
  rateLimits?: { sandbox?: RateLimit; production?: RateLimit }
}

/** An operation as one version, or a document without versions, describes it. */
interface DescribedOperation {
  operation: OperationRow
  validators(): Promise<{ request: Validator<unknown>; response: Validator<unknown> }>
}

/** Whether handlers know the version themselves; the others take converting. */
export const isCurrent = (version: Version): boolean => version === currentVersion

/** An error in the form of a version: only the current one lists the faulty fields. */
export function inVersion(error: ApiError, version: Version): ApiError {
  if (!isCurrent(version)) error.fields = []
  return error
}

/** Chooses the dated version of a request: what its header names, else the client's default. */
export function selectVersion(header: string | undefined, byDefault: Version): Version {
  if (header === undefined) return byDefault
  if (Object.hasOwn(versions, header)) return header as Version
  const known = Object.keys(versions).join(', ')
  const message = `the header \`Service-Version\` must be one of: ${known}`
  throw new ApiError('INVALID_HEADERS', { message })
}

const isUndated = (operationId: AnyOperationId): operationId is keyof typeof undatedOperations =>
  Object.hasOwn(undatedOperations, operationId)

/**
 * The operation in that version; those of other documents are the same in all of them. Loaded
 * when it is first asked for, and then kept: an import costs the same each time.
 */
export function describeOperation(
  operationId: AnyOperationId,
  version: Version,
): Promise<DescribedOperation> {
  const key = `${version} ${operationId}`
  const known = described.get(key) ?? kept(() => load(operationId, version))
  described.set(key, known)
  return known()
}

const described = new Map<string, () => Promise<DescribedOperation>>()

async function load(operationId: AnyOperationId, version: Version): Promise<DescribedOperation> {
  if (isUndated(operationId)) {
    return {
      operation: undatedOperations[operationId],
      validators: keptValidators(undatedValidators[operationId]),
    }
  }
  const { operations, validators } = await versions[version]()
  return { operation: operations[operationId], validators: keptValidators(validators[operationId]) }
}

const keptValidators = (load: DescribedOperation['validators']): DescribedOperation['validators'] =>
  kept(load)

/** The same, but what was loaded once is not loaded again; a failure is no result to keep. */
function kept<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
