import type { BearerToken, ClientRow } from '../context.ts'
import type { Queries } from '../db/database.ts'
import { ApiError } from '../errors.ts'

export interface PresentedToken {
  client: ClientRow
  /** The client's time in ms. */
  now: number
  tokenHash: string
}

/** What a bearer token grants; throws when it is unknown, of another client, expired or revoked. */
export async function authenticateBearerToken(
  _db: Queries,
  _presented: PresentedToken,
): Promise<BearerToken> {
  throw new ApiError('INVALID_INPUT.INVALID_ACCESS_TOKEN.401')
}
