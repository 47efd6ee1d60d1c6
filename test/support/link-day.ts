import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { readAsClient } from '../../src/server/hosted/as-client.ts'
import { findTokenOfWork, requireClientUserId } from '../../src/server/link/link-token-store.ts'
import { findSession } from '../../src/server/link/page-session-store.ts'
import { createVisitor, valuesOf } from './link-visitor.ts'
import type { Tenant, TestService } from './service.ts'

const institution_id = 'ins_109508'

/** Lets users link Items, leave, and authorize an Item again, as on any day. */
export async function linkAll(service: TestService, client: Tenant): Promise<void> {
  const { link_token } = await createLinkToken(client, { products: ['transactions'] })
  await walkPages(service, client)
  await askWhoLinks(service, client, link_token)
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

/** What connectors of production ask for, which the sandbox lacks. */
const askWhoLinks = ({ service }: TestService, { clientId }: Tenant, linkToken: string) =>
  readAsClient(service, clientId, async (ctx) => {
    const token_hash = service.keys.hash(linkToken)
    await requireClientUserId(ctx, token_hash)
    await findTokenOfWork(ctx, token_hash)
    await findSession(ctx, { token_hash, link_session_id: 'none' })
  })

/** Lets a user leave the hosted pages, begin again elsewhere, link, and repair an Item. */
async function walkPages(service: TestService, client: Tenant): Promise<void> {
  const { hosted_link_url } = await createLinkToken(client, { products: ['transactions'] })
  const { pathname } = new URL(hosted_link_url)
  const first = createVisitor(service)
  await first.open(pathname)
  await first.send()
  const visitor = createVisitor(service)
  await visitor.open(pathname)
  await visitor.send()
  await visitor.send()
  await visitor.send({ institution_id })
  await visitor.send({ username: 'user_bad', password: 'any' })
  const accounts = await visitor.send({ username: 'user_good', password: 'any' })
  await visitor.send({ account: valuesOf(accounts, 'account') })
  await client.control('sandboxItemResetLogin', { access_token: readyAccessToken })
  const update = await createLinkToken(client, { access_token: readyAccessToken })
  await visitor.open(new URL(update.hosted_link_url).pathname)
  const done = await visitor.send({ username: 'user_good', password: 'any' })
  if (!done.path.endsWith('/done')) throw new Error(`the pages end with ${done.heading}`)
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
