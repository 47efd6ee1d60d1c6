import type { WithoutPermit } from '../pipeline/concurrency-limiter.ts'
import type { PipelineService } from '../pipeline/pipeline-service.ts'
import type { AgentAnswer, AgentRequest } from './agent-request.ts'
import { agentCalls, authenticateAgent } from './authenticate-agent.ts'
import { AgentRejected, json, toChallenge } from './challenge.ts'
import type { ToolCalls } from './tool-calls.ts'

type AgentDoor = (request: AgentRequest, withoutPermit: WithoutPermit) => Promise<AgentAnswer>

/**
 * Lets agents in. The token is checked first, so that strangers make nothing load. The protocol is
 * loaded with the first request of an agent: most services have none.
 */
export function createAgentDoor(service: PipelineService, calls: ToolCalls): AgentDoor {
  return async (request, withoutPermit) => {
    if (request.method !== 'POST') return methodNotAllowed
    try {
      const agent = await authenticateAgent(service, request)
      await service.rateLimits.count(agent.client, agentCalls, () => undefined)
      const { answerProtocol } = await import('./protocol.ts')
      return await answerProtocol({ service, calls, agent, withoutPermit }, request)
    } catch (error) {
      if (error instanceof AgentRejected) return toChallenge(error, service.publicUrl())
      throw error
    }
  }
}

/** For everything but a POST: the server keeps no session and sends nothing by itself. */
const methodNotAllowed: AgentAnswer = {
  status: 405,
  headers: { Allow: 'POST', ...json },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, message: 'send a POST: this server keeps no sessions' },
  }),
}
