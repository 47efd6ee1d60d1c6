import type { Body, Tenant } from '../../support/service.ts'
import {
  exchangeGrant,
  forClient,
  forParties,
  forSelf,
  partner,
} from '../../support/token-steps.ts'
import { tokensOf } from './token-places.ts'

/** A request to exchange, and whether the rules let it through. */
interface ExchangeCase {
  name: string
  body: Body
  works: boolean
}

const types = [forSelf, forClient, forParties, 'urn:ietf:params:oauth:token-type:access_token', '']

/** Every type with every subject, every audience, and what RFC 8693 knows and this service does not. */
export async function exchangeCases(
  own: Tenant,
  other: Tenant,
  foreign: Tenant,
): Promise<ExchangeCase[]> {
  const mine = await tokensOf(own, 'fresh')
  const theirs = await tokensOf(foreign, 'fresh')
  const subjects: Record<string, string> = {
    'my user': mine.user,
    'my refresh': mine.refresh,
    'my access': mine.access,
    'their user': theirs.user,
    'their refresh': theirs.refresh,
    'my secret': own.secret,
    'my client id': own.clientId,
  }
  const audiences: Record<string, string> = {
    me: own.clientId,
    other: other.clientId,
    both: `${own.clientId},${other.clientId}`,
    partner,
    'partner and other': `${partner},${other.clientId}`,
    nobody: 'nobody',
    empty: ' ',
    'a list with a gap': `${own.clientId},,${other.clientId}`,
    'in capitals': other.clientId.toUpperCase(),
    'a wildcard': '*',
  }
  const extras: Record<string, Body> = {
    plain: {},
    actor: {
      actor_token: theirs.refresh,
      actor_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    },
    requested: { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
    'a client beside': {
      client_id_hint: foreign.clientId,
      resource: 'https://other.example.com',
    },
  }
  const works = (type: string, subject: string, audience: string): boolean => {
    if (type === forSelf) return subject === 'my user' && audience === 'me'
    if (type === forParties)
      return (
        subject === 'my user' &&
        ['me', 'other', 'both', 'partner', 'partner and other'].includes(audience)
      )
    return type === forClient && subject === 'my refresh' && audience === 'other'
  }
  return types.flatMap((type) =>
    Object.entries(subjects).flatMap(([subject, subject_token]) =>
      Object.entries(audiences).flatMap(([audience, named]) =>
        Object.entries(extras).map(([extra, more]) => ({
          name: [type, subject, audience, extra].join(', '),
          body: {
            grant_type: exchangeGrant,
            subject_token_type: type,
            subject_token,
            audience: named,
            ...more,
          },
          works: works(type, subject, audience),
        })),
      ),
    ),
  )
}
