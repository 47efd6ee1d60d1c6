import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import type { Tenant, TestService } from './service.ts'

/** Lets users link Items, leave, and authorize an Item again, as on any day. */
export async function linkAll({ app }: TestService, client: Tenant): Promise<void> {
  const first = await createLinkToken(client, { products: ['transactions'] })
  await app.inject(new URL(first.hosted_link_url).pathname)
  const { link_token } = first
  const institution_id = 'ins_109508'
  await client.control('sandboxLinkSessionFinish', { link_token, status: 'EXITED' })
  const linked = { link_token, status: 'SUCCESS', institution_id } as const
  const { public_tokens } = await client.control('sandboxLinkSessionFinish', linked)
  await client.api.linkTokenGet({ link_token }).orThrow()
  await client.api.itemPublicTokenExchange({ public_token: public_tokens[0] ?? '' }).orThrow()
  await client.control('sandboxItemResetLogin', { access_token: readyAccessToken })
  const update = await createLinkToken(client, { access_token: readyAccessToken })
  const repaired = { link_token: update.link_token, status: 'SUCCESS' } as const
  await client.control('sandboxLinkSessionFinish', repaired)
}

/** A link token that will go, with a session. */
export async function leaveLink(client: Tenant): Promise<void> {
  const { link_token } = await createLinkToken(client, { products: ['transactions'] })
  await client.control('sandboxLinkSessionFinish', { link_token, status: 'EXITED' })
}

type Request = Parameters<Tenant['api']['linkTokenCreate']>[0]

const createLinkToken = (client: Tenant, changes: Partial<Request>) =>
  client.api
    .linkTokenCreate({
      client_name: 'Larkspur Lending',
      language: 'en',
      country_codes: ['US'],
      user: { client_user_id: 'borrower-7f3a' },
      ...changes,
    })
    .orThrow()
