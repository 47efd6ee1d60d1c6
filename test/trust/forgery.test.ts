import { randomUUID } from 'node:crypto'
import type { AddressInfo, LookupFunction } from 'node:net'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paths as sandboxPaths } from '../../generated/sandbox/operations.ts'
import { checkedLookup } from '../../src/server/kernel/checked-lookup.ts'
import { postWebhook, type WebhookPost } from '../../src/server/worker/webhooks/post.ts'
import {
  type KeySource,
  verifyWebhook,
  type WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import { link } from '../support/items-fixtures.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { startService, startWorld } from '../support/service.ts'
import { body, published } from '../support/webhook-vectors.ts'
import { forge, passesCareless, passesJose, passesOurs } from './support/forgeries.ts'
import { createRandom } from './support/random.ts'
import { report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { blocks, drawAddress, spell, toDotted, toGroups } from './support/spellings.ts'

const timeout = 900_000
const random = createRandom('forgery')

/** Listens on both loopbacks, at one port, and counts who connects. */
let listeners: Server[]
let port: number
let connections = 0
beforeAll(async () => {
  const listen = (host: string, at: number) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer((socket) => {
        connections += 1
        socket.on('error', () => {})
        socket.end()
      })
      server.once('error', reject)
      server.listen(at, host, () => resolve(server))
    })
  const one = await listen('127.0.0.1', 0)
  port = (one.address() as AddressInfo).port
  listeners = [one, await listen('::1', port)]
})
afterAll(() => {
  for (const server of listeners) server.close()
})

const send = (url: string, more: Partial<WebhookPost> = {}) =>
  postWebhook({ url, headers: {}, body, timeoutMs: 5000, targets: 'public', ...more })

/** Addresses of every block, in every spelling. */
function* targets(): Generator<{ name: string; url: string }> {
  const rounds = atScale({ quick: 6, normal: 60, long: 400 })
  for (const block of blocks) {
    for (let round = 0; round < rounds; round += 1) {
      for (const authority of spell(drawAddress(block, random), block.family)) {
        yield { name: block.name, url: `https://${authority}:${port}/hooks` }
      }
    }
  }
}

/** Finds these addresses for every host, and counts how often it is asked. */
function answering(...answers: string[][]) {
  const asked = { count: 0 }
  const lookup: LookupFunction = (_host, _options, callback) => {
    const found = answers[Math.min(asked.count, answers.length - 1)] ?? []
    asked.count += 1
    const all = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    callback(null, all)
  }
  return { lookup, asked }
}

/** What is dialled of these in production. */
const dialled = (found: string[], all: boolean): Promise<unknown[]> =>
  new Promise((resolve) => {
    const { lookup } = answering(found)
    checkedLookup(lookup, 'public')('lender.example.com', { all }, (error, address) =>
      resolve(
        error ? [] : all ? (address as { address: string }[]).map((one) => one.address) : [address],
      ),
    )
  })

const refused = {
  status_code: null,
  error: 'the address is not public',
  answer: null,
  forbidden: true,
}

describe('in production a webhook', () => {
  test('goes to no address that is not public, however it is written', { timeout }, async () => {
    const figures = { blocks: blocks.length, spellings: 0, not_urls: 0, connections: 0 }
    const passed: string[] = []
    connections = 0
    for (const { name, url } of targets()) {
      if (!URL.canParse(url)) figures.not_urls += 1
      else figures.spellings += 1
      const outcome = await send(url, answering(['127.0.0.1', '::1']))
      if (!outcome.forbidden) passed.push(`${name}: ${url}`)
      // Where the check is broken, the rest would be dialled, and take its time.
      if (passed.length > 5) break
    }
    figures.connections = connections
    report('in production no webhook goes to an address that is not public', figures)
    expect(passed).toEqual([])
    expect(connections).toBe(0)
    expect(figures.not_urls).toBeLessThan(figures.spellings / 10)
  })

  test('would go to loopback by such an address, if nothing prevented it', async () => {
    const before = connections
    const loopbacks = [...spell(0x7f000001n, 4), ...spell(1n, 6)].filter((authority) =>
      ['127.0.0.1', '[::1]', '[::ffff:7f00:1]'].includes(new URL(`http://${authority}`).hostname),
    )
    for (const authority of loopbacks) {
      await send(`http://${authority}:${port}/`, { targets: 'sandbox' })
    }
    const share = (connections - before) / loopbacks.length
    report('control: without that check such spellings reach loopback', {
      spellings: loopbacks.length,
      connections: connections - before,
    })
    expect(share).toBe(1)
  })

  test('goes to no name that means such an address, alone or beside public ones', async () => {
    const rounds = atScale({ quick: 20, normal: 200, long: 2000 })
    let names = 0
    for (const block of blocks) {
      const write = block.family === 4 ? toDotted : toGroups
      for (let round = 0; round < rounds; round += 1) {
        const inner = write(drawAddress(block, random))
        names += 1
        const { lookup, asked } = answering([inner])
        expect(await send('https://lender.example.com/', { lookup })).toEqual(refused)
        expect(asked.count).toBe(1)
        const mixed = [inner, '192.0.43.8', inner, '2a00:1450::1']
        expect(await dialled(mixed, true)).toEqual(['192.0.43.8', '2a00:1450::1'])
        expect(await dialled(mixed, false)).toEqual(['192.0.43.8'])
      }
    }
    report('names that mean inner addresses are not dialled', { names })
  })

  test('is dialled where its name was looked up, once, whatever the name means later', async () => {
    const receiver = await startReceiver()
    const url = `http://lender.example.com:${new URL(receiver.url).port}/`
    const rebinding = answering(['127.0.0.1'], ['127.0.0.2'])
    const outcome = await send(url, { lookup: rebinding.lookup, targets: 'sandbox' })
    expect(outcome.status_code).toBe(200)
    expect(rebinding.asked.count).toBe(1)
    const back = answering(['10.0.0.1'], ['192.0.43.8'])
    expect(await send('https://lender.example.com/', back)).toEqual(refused)
    expect(back.asked.count).toBe(1)
    await receiver.close()
  })

  test('follows no redirect, and goes over https only', async () => {
    const receiver = await startReceiver()
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.behave((response) => response.writeHead(status, { Location: receiver.url }).end())
      const outcome = await send(receiver.url, { targets: 'sandbox' })
      expect(outcome.status_code).toBe(status)
    }
    expect(receiver.received).toHaveLength(5)
    for (const scheme of ['http', 'ftp', 'file', 'gopher', 'ws', 'data', 'javascript']) {
      expect(await send(`${scheme}://lender.example.com/`)).toMatchObject({ forbidden: true })
    }
    await receiver.close()
  })

  test('reveals no result of the request', async () => {
    const settings = { environment: 'production', reportDelayMs: 0 } as const
    const production = await startService({ settings })
    const tenant = await production.tenant()
    for (const path of Object.values(sandboxPaths)) {
      expect((await tenant.post(path, {})).status, path).toBe(404)
    }
    await production.close()
  })
})

/** Blocks whose addresses reach this machine only. */
const isLoopback = (authority: string): boolean =>
  /^(127\.|\[::1\]$|\[::ffff:7f)/.test(new URL(`http://${authority}`).hostname)

describe('in a sandbox a webhook', () => {
  test('goes to no private address, however it is written', { timeout }, async () => {
    const figures = { spellings: 0, connections: 0 }
    const passed: string[] = []
    connections = 0
    for (const { name, url } of targets()) {
      const target = url.replace('https:', 'http:')
      if (!URL.canParse(target) || isLoopback(new URL(target).host)) continue
      figures.spellings += 1
      // A spelling that is no address for a URL is a name, which resolves to a private address here.
      const outcome = await send(target, { ...answering(['192.168.1.1']), targets: 'sandbox' })
      if (!outcome.forbidden) passed.push(`${name}: ${target}`)
      if (passed.length > 5) break
    }
    figures.connections = connections
    report('in a sandbox no webhook goes to a private address', figures)
    expect(passed).toEqual([])
    expect(connections).toBe(0)
  })

  test('tells the same of every port of a private address', async () => {
    const sandbox = await startWorld()
    const tenant = await sandbox.tenant()
    for (const at of [22, 80, 443, port]) {
      const { public_token } = await tenant.control('sandboxPublicTokenCreate', {
        institution_id: 'ins_109508',
        initial_products: ['transactions'],
        options: { webhook: `http://192.168.1.1:${at}/` },
      })
      await tenant.control('itemPublicTokenExchange', { public_token })
    }
    await tenant.control('sandboxClockAdvance', { seconds: 60 })
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    const told = webhooks.flatMap(({ attempts }) => attempts)
    expect(told.length).toBeGreaterThanOrEqual(4)
    expect(new Set(told.map(({ error }) => error))).toEqual(new Set(['the address is private']))
    report('a sandbox tells nothing of the ports of a private address', { attempts: told.length })
    await sandbox.close()
  })
})

/** The same webhook with a token that names another key, which is fresh and of the right form. */
function forgedFrom(genuine: Received | undefined, kid: string): Received | undefined {
  if (!genuine) return genuine
  const [, ...rest] = String(genuine.headers['service-verification']).split('.')
  const head = Buffer.from(JSON.stringify({ alg: 'ES256', kid, typ: 'JWT' })).toString('base64url')
  return { ...genuine, headers: { 'service-verification': [head, ...rest].join('.') } }
}

/** A receiver that has seen no key yet, and what it asks the service for. */
function freshReceiver(api: KeySource) {
  let [asked, passedMs] = [0, 0]
  const client: KeySource = {
    webhookVerificationKeyGet(body, options) {
      asked += 1
      return api.webhookVerificationKeyGet(body, options)
    },
  }
  return {
    lookups: () => asked,
    pass(seconds: number) {
      passedMs += seconds * 1000
    },
    async verdict(webhook: Received | undefined): Promise<string> {
      const options = { client, now: () => Date.now() + passedMs }
      const { body = '', headers = {} } = webhook ?? {}
      return verifyWebhook(body, headers, options).then(
        () => 'verified',
        (error: WebhookVerificationError) => error.reason,
      )
    },
  }
}

describe('a receiver', () => {
  test('takes nothing that the service has not signed for this body just now', {
    timeout,
  }, async () => {
    const more = atScale({ quick: 200, normal: 10_000, long: 60_000 })
    const figures = { forgeries: 0, passed_ours: 0, passed_jose: 0, passed_a_careless_one: 0 }
    const passed: string[] = []
    for (const forgery of forge(random, more)) {
      figures.forgeries += 1
      const [ours, others] = [await passesOurs(forgery), await passesJose(forgery)]
      if (ours) figures.passed_ours += 1
      if (others) figures.passed_jose += 1
      if (ours || others) passed.push(forgery.how.join(', '))
      if (passesCareless(forgery)) figures.passed_a_careless_one += 1
    }
    report('receivers refuse every forged, stripped, replayed or swapped signature', figures)
    expect(passed).toEqual([])
    expect(figures.passed_a_careless_one).toBeGreaterThan(100)
  })

  test('takes genuine webhooks from its start on, however many key ids are invented', {
    timeout,
  }, async () => {
    const service = await startService()
    const tenant = await service.tenant()
    const receiver = await startReceiver()
    const { access_token } = await link(tenant, { options: { webhook: receiver.url } })
    const fire = () =>
      tenant.control('sandboxItemFireWebhook', { access_token, webhook_code: 'DEFAULT_UPDATE' })
    await fire()
    const [first] = await receiver.arrivals(1)
    const flood = atScale({ quick: 1000, normal: 20_000, long: 200_000 })
    const figures = { receivers: 0, forged: 0, forged_passed: 0, lookups: 0, genuine_failed: 0 }

    for (const order of ['before', 'among', 'around a rotation'] as const) {
      const fresh = freshReceiver(tenant.api)
      figures.receivers += 1
      const forged = async (count: number) => {
        for (let left = count; left > 0; left -= 500) {
          const kids = Array.from({ length: Math.min(left, 500) }, () => randomUUID())
          const verdicts = await Promise.all(
            kids.map((kid) => fresh.verdict(forgedFrom(first, kid))),
          )
          figures.forged += kids.length
          figures.forged_passed += verdicts.filter((verdict) => verdict === 'verified').length
        }
      }
      const work = forged(flood)
      if (order !== 'among') await work
      let verdict = await fresh.verdict(first)
      await work
      if (order === 'around a rotation') {
        await tenant.control('sandboxWebhookRotateKey', {})
        await fire()
        const [, second] = await receiver.arrivals(2)
        // A few seconds later one of the flood is asked for, and its answer names the new key.
        fresh.pass(4)
        await forged(50)
        verdict = verdict === 'verified' ? await fresh.verdict(second) : verdict
      }
      if (verdict !== 'verified') figures.genuine_failed += 1
      figures.lookups += fresh.lookups()
      expect(fresh.lookups()).toBeLessThan(40)
    }
    report('a fresh receiver takes genuine webhooks whatever key ids are invented', figures)
    expect(figures).toMatchObject({ forged_passed: 0, genuine_failed: 0 })
    await receiver.close()
    await service.close()
  })

  test('takes what the service has signed', async () => {
    const genuine = { how: [], token: published, body }
    expect([await passesOurs(genuine), await passesJose(genuine)]).toEqual([true, true])
  })
})
