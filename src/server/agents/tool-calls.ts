import type { StoredCalls } from '../dashboard/page-handler.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import type { WithoutPermit } from '../pipeline/concurrency-limiter.ts'
import type { PipelineService } from '../pipeline/pipeline-service.ts'
import type { Agent } from './authenticate-agent.ts'

/** What tools need of the service, which `boot` puts together. */
export interface ToolCalls {
  /** Calls of the client. */
  stored: StoredCalls
  /** Runs an operation of the sandbox API as the client. @throws ApiError */
  run(
    clientId: string,
    operationId: AnyOperationId,
    body: object,
    withoutPermit: WithoutPermit,
  ): Promise<Record<string, unknown>>
}

/** A request of an agent, with what answers it. */
export interface Visit {
  service: PipelineService
  calls: ToolCalls
  agent: Agent
  withoutPermit: WithoutPermit
}
