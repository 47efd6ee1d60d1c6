import type { BearerToken, ClientRow } from '../kernel/context.ts'
import type { Scope } from './scope.ts'
import type { TokenRow } from './store.ts'

/** The client that presents a token, and the time of its clock in ms. */
export interface Presenter {
  client: Pick<ClientRow, 'client_id' | 'clock_offset_ms'>
  now: number
}

export const partiesOf = (token: TokenRow): string[] => JSON.parse(token.parties)

export const scopesOfToken = (token: TokenRow): Scope[] => JSON.parse(token.scopes)

export const userOf = ({ user_id, user_client_id }: TokenRow): BearerToken['user'] =>
  user_id === null || user_client_id === null ? null : { user_id, client_id: user_client_id }

const isParty = (token: TokenRow, clientId: string): boolean => partiesOf(token).includes(clientId)

/**
 * Whether this client can use a token now. The clock of the token's own client determines expiry.
 */
export function canUse(token: TokenRow, { client, now }: Presenter): boolean {
  const ownNow = now - client.clock_offset_ms + token.clock_offset_ms
  return token.revoked_at === null && ownNow < token.expires_at && isParty(token, client.client_id)
}

/** A token can be revoked by each client that may use it, and by its owner. */
export const canRevoke = (token: TokenRow, clientId: string): boolean =>
  token.client_id === clientId || isParty(token, clientId)
