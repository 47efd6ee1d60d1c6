import { versions } from '../../generated/versions.ts'
import type { Issue } from '../validators/issues.ts'
import type { OperationId } from './call.ts'
import type { BodyChecks, Subject } from './send.ts'
import { unversioned } from './unversioned.ts'

/** Which bodies a client holds against the contract. */
export interface Checks {
  /** Refuses a request body before it is sent. */
  requests?: boolean
  /** Refuses a success answer that lacks something; new fields and enum values always pass. */
  answers?: boolean
}

/** A body does not fit the contract. */
export class ContractError extends Error {
  readonly code = 'CONTRACT_VIOLATION'
  readonly operationId: OperationId
  /** What does not fit, and where; never with a value. */
  readonly issues: readonly Issue[]

  constructor(operationId: OperationId, body: 'request' | 'answer', issues: readonly Issue[]) {
    const places = issues.map(({ path, message }) => `${path || 'the body'} ${message}`)
    super(`the ${body} of ${operationId} does not fit the contract: ${places.join('; ')}`)
    this.name = 'ContractError'
    this.operationId = operationId
    this.issues = issues
  }
}

/**
 * Has a client hold bodies against the contract, each against the version that it is of. The
 * validators are loaded when first used. They stand apart from the client, since a program that is
 * bundled into one file would carry all of them.
 *
 * @throws {@link ContractError} from a call, when a body does not fit.
 * @example
 * ```ts
 * import { createClient } from 'financial-data-service'
 * import { contractChecks } from 'financial-data-service/checks'
 *
 * const client = createClient({
 *   baseUrl: 'http://127.0.0.1:4000',
 *   clientId: 'sandbox-client',
 *   secret: 'sandbox-secret',
 *   validate: contractChecks({ requests: true, answers: true }),
 * })
 * const { data } = await client.walletList({})
 * console.log(data?.wallets.length)
 * ```
 */
export function contractChecks({ requests, answers }: Checks): BodyChecks {
  return {
    ...(requests ? { request: checkRequest } : {}),
    ...(answers ? { answer: checkAnswer } : {}),
  }
}

async function checkRequest(subject: Subject, body: unknown): Promise<void> {
  const { request } = await load(subject)
  refuse(subject, 'request', request.issues(body))
}

async function checkAnswer(subject: Subject, answer: unknown): Promise<void> {
  const { response } = await load(subject)
  refuse(subject, 'answer', response.issues(answer))
}

async function load({ operationId, version }: Subject) {
  const dated = (await versions[version]()).validators
  if (isIn(dated, operationId)) return dated[operationId]()
  for (const load of unversioned) {
    const { validators } = await load()
    const known = isIn(validators, operationId) ? validators[operationId] : undefined
    if (known) return known()
  }
  throw new TypeError(`there is no operation ${operationId}`)
}

const isIn = <Table extends object>(table: Table, key: string): key is keyof Table & string =>
  Object.hasOwn(table, key)

function refuse({ operationId }: Subject, body: 'request' | 'answer', issues: Issue[]): void {
  if (issues.length > 0) throw new ContractError(operationId, body, issues)
}
