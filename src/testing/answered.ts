import { errorCatalogue } from '../../generated/errors.ts'
import type { Call, ErrorCode, OperationId, Result } from '../client/call.ts'
import { ServiceError, type Unlisted } from '../client/service-error.ts'

/** An `error_code` that the contract lists. */
export type ListedCode = Exclude<ErrorCode<OperationId>, Unlisted>

/** What of an error differs from the catalogue. */
export type ErrorFields = Partial<
  Pick<ServiceError, 'operationId' | 'error_message' | 'display_message' | 'fields' | 'retry_after'>
>

/**
 * Makes a call that is answered with this data, for a client that you fake in a unit test.
 *
 * @example
 * ```ts
 * import type { Client } from 'financial-data-service'
 * import { ok, refused } from 'financial-data-service/testing'
 *
 * const wallets: Pick<Client, 'walletList' | 'walletGet'> = {
 *   walletList: () => ok({ request_id: 'request00000001', wallets: [] }),
 *   walletGet: () => refused('INVALID_FIELD'),
 * }
 * console.log((await wallets.walletList({}).orThrow()).wallets.length)
 * console.log((await wallets.walletGet({ wallet_id: 'none' })).error?.error_type)
 * ```
 */
export function ok<Data extends object>(data: Data): Call<Data, never> {
  return toCall({ data, response: Response.json(data) })
}

/** Makes a call that fails with an error of the catalogue, with its type, status and words. */
export function refused<const Code extends ListedCode>(
  code: Code,
  { operationId = 'operation', retry_after, ...fields }: ErrorFields = {},
): Call<never, Code> {
  const found = Object.values(errorCatalogue).find((entry) => entry.code === code)
  if (!found) throw new TypeError(`there is no error ${code}`)
  const { type, status, message, displayMessage, suggestedAction } = found
  const body = {
    error_type: type,
    error_code: code,
    error_message: message,
    display_message: displayMessage,
    suggested_action: suggestedAction,
    request_id: 'request00000001',
    ...fields,
  }
  const error = new ServiceError<Code>({ operationId, status, body, retry_after })
  return toCall({ error, response: Response.json(body, { status }) })
}

function toCall<Data, Code extends string>(result: Result<Data, Code>): Call<Data, Code> {
  const orThrow = async () => {
    if (result.error) throw result.error
    return result.data
  }
  return Object.assign(Promise.resolve(result), { orThrow })
}
