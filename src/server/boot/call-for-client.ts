import { newRequestId } from '../kernel/ids.ts'
import { toJson } from '../kernel/list-text.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import type { WithoutPermit } from '../pipeline/concurrency-limiter.ts'
import { clientIdHeader, secretHeader } from '../pipeline/credentials.ts'
import type { createPipeline } from '../pipeline/pipeline.ts'
import { currentVersion } from '../versions/select-version.ts'

/** Calls an operation as a client whose token has been checked. @throws ApiError */
export async function callForClient(
  pipeline: ReturnType<typeof createPipeline>,
  clientId: string,
  operationId: AnyOperationId,
  body: object,
  withoutPermit: WithoutPermit,
): Promise<Record<string, unknown>> {
  const headers = {
    'content-type': 'application/json',
    'service-version': currentVersion,
    [clientIdHeader]: clientId,
    // The secret is stored as a hash only. `inside` stands for it.
    [secretHeader]: 'none',
  }
  const request = {
    operationId,
    headers,
    body: Buffer.from(JSON.stringify(body)),
    inside: { clientId, resentFrom: null },
  }
  const context = { requestId: newRequestId(), docsUrl: undefined }
  const answer = await pipeline(request, context, undefined, withoutPermit)
  const text = toJson(answer.body as object)
  answer.record?.(text)
  return JSON.parse(text) as Record<string, unknown>
}
