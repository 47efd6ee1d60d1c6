import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import type { Receiver } from '../../support/receiver.ts'
import { type Ground, prepareGround } from './trial-ground.ts'
import type { TrialService } from './trial-service.ts'

/** Lets the system's clock be wrong by so many ms, for a service that has `moved-clock.ts`. */
async function moveClock({ child }: TrialService, ms: number): Promise<void> {
  const moved = once(child, 'message')
  child.send(ms)
  await moved
}

/**
 * Sets the clock of a service back in the middle of its work, or on where `jumpMs` is negative, and
 * right again; what does not go on as before. `receiver` gets every webhook.
 */
export async function findBrokenByJump(
  service: TrialService,
  receiver: Receiver,
  jumpMs: number,
): Promise<string[]> {
  const broken: string[] = []
  const ask = async (path: string, body: object) => {
    const answer = await service.post(path, body)
    if (answer.status !== 200)
      broken.push(`${path} ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const ground = await prepareGround(service.post, receiver.url)
  const before = await beginWork(ask, ground)
  receiver.behave(500)
  await fire(ask, ground)
  await receiver.arrivals(receiver.received.length + 1)
  receiver.behave(200)

  await moveClock(service, -jumpMs)
  broken.push(...(await goOn(ask, ground, before)))
  const arrived = receiver.received.length
  await fire(ask, ground)
  // In its Item's turn, after the one that waits for its retry: a clock that runs ahead has let that go.
  await ask('/sandbox/clock/advance', { seconds: Math.max(0, Math.ceil(jumpMs / 1000)) + 60 })
  await receiver.arrivals(arrived + 1)
  const latest = receiver.received.at(-1)?.headers['service-verification']
  const skew = Math.abs((decodeJwt(String(latest)).iat ?? 0) * 1000 - (Date.now() - jumpMs))
  if (skew > 60_000) broken.push(`a signature is off by ${skew} ms`)

  await moveClock(service, 0)
  broken.push(...(await goOn(ask, ground, before)))
  await ask('/sandbox/clock/advance', { seconds: 3600 })
  await sleep(50)
  broken.push(...(await findTwice(ask, receiver)))
  return broken
}

const dayMs = 86_400_000

type Ask = (path: string, body: object) => Promise<Record<string, unknown>>

const fire = (ask: Ask, { accessToken: access_token }: Ground) =>
  ask('/sandbox/item/fire_webhook', { access_token, webhook_code: 'NEW_ACCOUNTS_AVAILABLE' })

async function beginWork(ask: Ask, { accessToken: access_token }: Ground) {
  const { next_cursor } = await ask('/transactions/sync', { access_token, cursor: 'now' })
  const { refresh_token } = await ask('/oauth/token', { grant_type: 'client_credentials' })
  const { asset_report_token } = await ask('/asset_report/create', {
    access_tokens: [access_token],
    days_requested: 2,
  })
  return { cursor: next_cursor, refresh_token, asset_report_token, created: 0 }
}

type Begun = Awaited<ReturnType<typeof beginWork>>

/** Uses what was there before the jump, and writes more. */
async function goOn(ask: Ask, ground: Ground, before: Begun): Promise<string[]> {
  const { accessToken: access_token, hooks } = ground
  await ask('/oauth/token', { grant_type: 'refresh_token', refresh_token: before.refresh_token })
  const date = new Date(Date.now() - 2 * dayMs).toISOString().slice(0, 10)
  await ask('/sandbox/transactions/create', {
    access_token,
    transactions: [{ amount: 1, date_posted: date, date_transacted: date, description: 'JUMP' }],
  })
  before.created += 1
  const { added } = await ask('/transactions/sync', { access_token, cursor: before.cursor })
  const found = (added as unknown[]).length
  const broken = found === before.created ? [] : [`${found} of ${before.created} changes`]
  const { asset_report_token } = await ask('/asset_report/create', {
    access_tokens: [access_token],
    days_requested: 2,
    options: { webhook: `${hooks}/reports` },
  })
  await ask('/sandbox/clock/advance', { seconds: 1 })
  await ask('/asset_report/get', { asset_report_token })
  const { wallet_id, request_id } = await ask('/wallet/create', { iso_currency_code: 'EUR' })
  await ask('/wallet/get', { wallet_id })
  const { requests } = await ask('/sandbox/request/list', {})
  const latest = (requests as { request_id: string }[]).slice(0, 10)
  const isListed = latest.some((one) => one.request_id === request_id)
  return isListed ? broken : [...broken, 'a call is not among the latest ones of the list']
}

interface Listed {
  url: string
  status: string
  attempts: { status_code: number | null }[]
}

/** Every webhook was delivered, and by one attempt that succeeded. */
async function findTwice(ask: Ask, receiver: Receiver): Promise<string[]> {
  const { webhooks } = await ask('/sandbox/webhook/list', { count: 500 })
  const all = webhooks as Listed[]
  // Items of the default seed data tell a receiver that is not there.
  const list = all.filter(({ url }) => url.startsWith(receiver.url))
  const ours = list.filter(({ attempts }) => attempts.length > 0)
  const wrong = ours.filter(
    ({ status, attempts }) =>
      status !== 'delivered' || attempts.filter((one) => one.status_code === 200).length !== 1,
  )
  const attempts = ours.reduce((sum, { attempts: made }) => sum + made.length, 0)
  const waiting = list.filter(({ status }) => status === 'pending').length
  return [
    ...wrong.map((one) => JSON.stringify(one)),
    ...(attempts === receiver.received.length ? [] : [`${attempts} attempts noted`]),
    ...(waiting === 0 ? [] : [`${waiting} still wait`]),
  ]
}
