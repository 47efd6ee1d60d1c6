import type { ResentCall } from '../dashboard/page-handler.ts'
import { toApiError, toErrorAnswer } from '../http/error-answer.ts'
import type { ApiError } from '../kernel/errors.ts'
import { newRequestId } from '../kernel/ids.ts'
import { toJson } from '../kernel/list-text.ts'
import { clientIdHeader, secretHeader } from '../pipeline/credentials.ts'
import type { createPipeline } from '../pipeline/pipeline.ts'

/** Runs a stored call again as its client, with a request id of its own. */
export async function resendCall(
  pipeline: ReturnType<typeof createPipeline>,
  call: ResentCall,
  docsUrl: string | undefined,
): Promise<{ id: string; status: number; error_code: string | null }> {
  const { clientId, operationId, requestId, version, body } = call
  const id = newRequestId()
  const headers = {
    'content-type': 'application/json',
    'service-version': version,
    [clientIdHeader]: clientId,
    // The secret is stored as a hash only. `inside` stands for it.
    [secretHeader]: 'none',
  }
  const inside = { clientId, resentFrom: requestId }
  const request = { operationId, headers, body: Buffer.from(body), inside }
  const context = { requestId: id, docsUrl }
  let failure: ApiError | undefined
  const answer = await pipeline(request, context).catch((error) => {
    failure = toApiError(error, false)
    return toErrorAnswer(failure, context)
  })
  answer.record?.(toJson(answer.body as object))
  return { id, status: answer.status, error_code: failure?.code ?? null }
}
