import type { OperationId } from '../../generated/2020-09-14/operations.ts'
import { currentVersion, type Version, versions } from '../../generated/versions.ts'
import type { Issue } from '../validators/issues.ts'

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

/** Which contract a body is held against. */
export interface Subject {
  operationId: OperationId
  version: Version | undefined
}

export async function checkBody(subject: Subject, body: unknown): Promise<void> {
  const { request } = await load(subject)
  refuse(subject, 'request', request.issues(body))
}

export async function checkAnswer(subject: Subject, answer: unknown): Promise<void> {
  const { response } = await load(subject)
  refuse(subject, 'answer', response.issues(answer))
}

async function load({ operationId, version = currentVersion }: Subject) {
  const { validators } = await versions[version]()
  return validators[operationId]()
}

function refuse({ operationId }: Subject, body: 'request' | 'answer', issues: Issue[]): void {
  if (issues.length > 0) throw new ContractError(operationId, body, issues)
}
