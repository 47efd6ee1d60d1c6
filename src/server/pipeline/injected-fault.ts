import type { ClientRow } from '../kernel/context.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import type { OperationRow } from '../versions/select-version.ts'
import type { WithoutPermit } from './concurrency-limiter.ts'

/** What a fault does to a call. */
export type FaultEffect = 'error' | 'delay' | 'drop' | 'unknown_enum'

/** A fault that a test has requested. It affects one call. */
export interface InjectedFault {
  effect: FaultEffect
  /** Waits before the operation, or throws an error. */
  before(operation: OperationRow, withoutPermit: WithoutPermit): Promise<void>
  /** Whether the connection is closed without a response. */
  drops: boolean
  /** Returns the response, changed if the test requested that. */
  change(answer: object, operation: OperationRow): object
}

/** Takes the oldest pending fault for an operation of a client. Only the sandbox has faults. */
export type TakeFault = (call: {
  client: ClientRow
  operationId: AnyOperationId
  accessTokenHash: string | undefined
}) => Promise<InjectedFault | undefined>

export const noFaults: TakeFault = async () => undefined

/** Makes the HTTP server close the connection without a response. */
export class DroppedConnection extends Error {}
