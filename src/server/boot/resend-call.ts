import type { ResentCall } from '../dashboard/page-handler.ts'
import { toApiError } from '../http/error-answer.ts'
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
    // The secret is stored as a hash only. `resent` stands for it.
    [secretHeader]: 'none',
  }
  const resent = { clientId, from: requestId }
  const request = { operationId, headers, body: Buffer.from(body), resent }
  try {
    const answer = await pipeline(request, { requestId: id, docsUrl })
    answer.record?.(toJson(answer.body as object))
    return { id, status: answer.status, error_code: null }
  } catch (error) {
    const { status, code } = toApiError(error, false)
    return { id, status, error_code: code }
  }
}
