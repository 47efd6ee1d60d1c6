import type { ClientRow } from '../kernel/context.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import type { OperationRow } from '../versions/select-version.ts'
import type { WithoutPermit } from './concurrency-limiter.ts'

/** An error that a test asked for; it happens to one call. */
export interface InjectedFault {
  /** Waits before the operation, or rejects the call. */
  before(operation: OperationRow, withoutPermit: WithoutPermit): Promise<void>
  /** Whether the connection is closed in place of an answer. */
  drops: boolean
  /** The answer, changed if the test asked for that. */
  change(answer: object, operation: OperationRow): object
}

/** Takes the oldest fault that waits for an operation of a client; only the sandbox has any. */
export type TakeFault = (call: {
  client: ClientRow
  operationId: AnyOperationId
  accessTokenHash: string | undefined
}) => Promise<InjectedFault | undefined>

export const noFaults: TakeFault = async () => undefined

/** Makes the HTTP edge close the connection without an answer. */
export class DroppedConnection extends Error {}
