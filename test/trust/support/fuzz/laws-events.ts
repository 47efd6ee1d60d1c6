import { currentVersion } from '../../../../generated/versions.ts'
import { codeIn } from './judge.ts'
import { liveItem, must, quiet } from './laws-tools.ts'
import type { Luck } from './references.ts'
import type { Session } from './session.ts'
import type { Body, Subject } from './subjects.ts'

/** How many webhooks of each code a tenant's list holds; undefined where it is unknown. */
async function countWebhooks(
  session: Session,
  who: number,
): Promise<Map<string, number> | undefined> {
  await session.target.settle()
  const counts = new Map<string, number>()
  let cursor: unknown = null
  do {
    const answer = await session.ask('sandboxWebhookList', who, { cursor, count: 100 })
    if (answer.status !== 200) return undefined
    const { webhooks, next_cursor } = answer.json as {
      webhooks: Body[]
      next_cursor: string | null
    }
    for (const { webhook_code } of webhooks) {
      counts.set(String(webhook_code), (counts.get(String(webhook_code)) ?? 0) + 1)
    }
    cursor = next_cursor
  } while (cursor !== null)
  return counts
}

const codes = [
  'NEW_ACCOUNTS_AVAILABLE',
  'SYNC_UPDATES_AVAILABLE',
  'DEFAULT_UPDATE',
  'PRODUCT_READY',
]

/**
 * A webhook that is fired is in the list once, and in no other tenant's. Without an address only who
 * listens gets it, and the list does not have it.
 */
export async function webhookOnce(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const access_token = liveItem(session, who)
  const before = await countWebhooks(session, who)
  if (access_token === undefined || !before) return
  const found = await session.ask('itemGet', who, { access_token })
  if (found.status !== 200) return
  const { webhook } = (found.json as { item: Body })['item'] as { webhook: string | null }
  const webhook_code = codes[luck(codes.length)] as string
  const fired = await session.ask('sandboxItemFireWebhook', who, { access_token, webhook_code })
  const after = await countWebhooks(session, who)
  if (!after) return
  const total = (counts: Map<string, number>) =>
    [...counts.values()].reduce((sum, one) => sum + one, 0)
  const more = total(after) - total(before)
  must(
    session,
    more === (fired.status === 200 && webhook !== null ? 1 : 0),
    `webhooks: one was fired, and ${more} are new`,
  )
}

/** An Item that was removed is gone for every operation that takes its token. */
export async function removedStaysRemoved(
  session: Session,
  who: number,
  luck: Luck,
): Promise<void> {
  await quiet(session, who)
  const access_token = liveItem(session, who)
  if (access_token === undefined || session.memory.all('item').length < 4) return
  const removed = await session.ask('itemRemove', who, { access_token })
  must(
    session,
    removed.status === 200,
    `removed: an Item cannot be removed: ${codeIn(removed.json)}`,
  )
  const others = [
    'accountsGet',
    'itemRemove',
    'sandboxItemResetLogin',
    'liabilitiesGet',
    'transactionsSync',
  ]
  const answer = await session.ask(others[luck(others.length)] as string, who, { access_token })
  must(
    session,
    codeIn(answer.json) === 'ITEM_NOT_FOUND',
    `removed: ${answer.status} ${codeIn(answer.json)}`,
  )
}

/** A fault happens to whom it was asked for, where it was, and as often; then no more. */
export async function faultIsOnes(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const other = (who + 1) % session.tenants.length
  const all = [...session.subjects.values()].filter(
    ({ isSandboxOperation, oauth }) => !isSandboxOperation && !oauth,
  )
  const subject = all[luck(all.length)] as Subject
  const next = all[(luck(all.length) + 1) % all.length] as Subject
  const error_code = ['INTERNAL_SERVER_ERROR', 'PLANNED_MAINTENANCE'][luck(2)]
  const asked = await session.ask('sandboxErrorInject', who, {
    operation: subject.path,
    error_code,
    times: 1 + luck(2),
  })
  must(session, asked.status === 200, `faults: it cannot be asked for: ${codeIn(asked.json)}`)
  const [example = {}] = subject.forms[currentVersion]?.examples ?? []
  // Each answer is held against the faults that are known to wait.
  await session.ask(subject.id, other, example)
  if (next !== subject)
    await session.ask(next.id, who, next.forms[currentVersion]?.examples[0] ?? {})
  for (let calls = 0; calls < 3; calls += 1) await session.ask(subject.id, who, example)
}
