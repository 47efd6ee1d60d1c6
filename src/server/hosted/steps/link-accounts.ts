import type { Product } from '#contract/closed.ts'
import type { LinkItemAddResult } from '../../../../generated/platform/closed.ts'
import { actors, auditOwn } from '../../audit/audit.ts'
import { findClientWebhook } from '../../clients/store.ts'
import { supportsAll } from '../../institutions/require-institution.ts'
import { findInstitution } from '../../institutions/store.ts'
import { toLinkResult } from '../../link/link-result.ts'
import { requireClientUserId } from '../../link/link-token-store.ts'
import type { SessionEvent } from '../../link/session-events.ts'
import { insertPublicToken } from '../../link/store.ts'
import type { ChosenAccount, LinkedItem, LinkOrder, LinkRest } from '../../sources/connector.ts'
import { discardStaged, findConnected, type Linking } from '../connection.ts'
import type { Outcome, Visit } from '../visit.ts'

/**
 * Links the Item, or repairs it, and ends the session. What is too much for one transaction is done
 * by a job, while the user waits on a page.
 * @throws RejectedAnswer, with which the transaction has to end
 */
export async function linkAccounts(
  visit: Visit,
  accounts: readonly ChosenAccount[],
  events: readonly SessionEvent[] = [],
): Promise<Outcome> {
  const { ctx, session, connection } = visit
  const done = await linkPart(visit, accounts)
  if ('results' in done) return { ...done, events }
  const { token_hash, link_session_id } = session
  await ctx.schedule('linkRest', { token_hash, link_session_id })
  return {
    to: 'adding',
    connection: { ...connection, adding: { accounts, rest: done, at: ctx.nowMs } },
    events,
  }
}

/** Links as much as one transaction can hold. Returns what is left, or the results. */
export async function linkPart(
  linking: Linking,
  accounts: readonly ChosenAccount[],
  rest?: LinkRest,
): Promise<LinkRest | { results: LinkItemAddResult[] }> {
  const { ctx, token, connection } = linking
  const { connector, institution } = await findConnected(linking)
  const { secret = null, expiresAt = null } = connection.done ?? {}
  const order: LinkOrder = {
    institution,
    itemId: token.item_id,
    clientUserId: await requireClientUserId(ctx, token.token_hash),
    userId: token.user_id,
    webhook: token.webhook ?? (await findClientWebhook(ctx)),
    daysRequested: token.days_requested,
    products: await productsOf(linking),
    secret,
    expiresAt,
    accounts,
    isPartial: connection.done?.notes?.some(({ lost }) => lost) ?? false,
  }
  const linked = await connector.link(ctx, order, rest)
  if ('state' in linked) return linked
  await noteLink(linking, connector.id, linked)
  await discardStaged(ctx, linking.ways, connection)
  return { results: await toResults(linking, linked) }
}

/** Who linked what, in the log of changes and in the metrics. */
async function noteLink(
  { ctx, token, session, answers }: Linking,
  connector: string,
  { item, accounts, told }: LinkedItem,
): Promise<void> {
  const { institution_id } = answers.institution ?? {}
  const details = {
    ...{ connector, institution_id, session: session.link_session_id, accounts: accounts.length },
    ...(told ? { format: told.format, rows: told.rows } : {}),
  }
  const action = token.item_id === null ? 'item.link' : 'item.repair'
  await auditOwn(ctx, { actor: actors.page, action, subject: item.item_id, details })
  if (!told) return
  const { client_id: clientId } = ctx.client
  ctx.tellImport({ clientId, itemId: item.item_id, ...told, ms: ctx.realMs() - told.begun })
}

/** The products of the link token that the institution has. */
async function productsOf({ ctx, token, answers }: Linking): Promise<Product[]> {
  const row = await findInstitution(ctx, answers.institution?.institution_id ?? '')
  const required = JSON.parse(token.products) as Product[]
  const optional = JSON.parse(token.optional_products) as Product[]
  return [...required, ...optional.filter((one) => row && supportsAll(row, [one]))]
}

async function toResults(
  { ctx, answers }: Linking,
  { item, access_token, accounts }: LinkedItem,
): Promise<LinkItemAddResult[]> {
  if (access_token === undefined) return []
  const public_token = ctx.newId('public_token')
  await insertPublicToken(ctx, { public_token, item_id: item.item_id, access_token })
  return [toLinkResult(public_token, accounts, answers.institution ?? null)]
}
