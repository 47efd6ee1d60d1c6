import type { LookupFunction } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../src/server/kernel/allowed-target.ts'
import { checkedLookup } from '../../src/server/kernel/checked-lookup.ts'
import { postWebhook, type WebhookPost } from '../../src/server/worker/webhooks/post.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.behave(200)
  receiver.received.length = 0
})

const post = (options: Partial<WebhookPost> = {}) =>
  postWebhook({
    url: receiver.url,
    headers: { 'Content-Type': 'application/json' },
    body: '{\n  "name": "Żółć"\n}',
    timeoutMs: 10_000,
    targets: 'sandbox',
    ...options,
  })

const answered = (status_code: number) => ({
  status_code,
  error: null,
  forbidden: false,
  answer: { head: expect.any(Buffer), bytes: expect.any(Number) },
})
const unanswered = (error: string) => ({
  status_code: null,
  error,
  forbidden: false,
  answer: null,
})
const forbidden = (error: string) => ({ ...unanswered(error), forbidden: true })

describe('a post', () => {
  test('carries the exact bytes and its headers', async () => {
    expect(await post()).toEqual(answered(200))
    const [{ body, headers, path }] = (await receiver.arrivals(1)) as [Receiver['received'][0]]
    expect(body.toString()).toBe('{\n  "name": "Żółć"\n}')
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '24' })
    expect(path).toBe('/hooks')
  })

  test('ends with the status, whatever it is', async () => {
    receiver.behave(503)
    expect(await post()).toEqual(answered(503))
  })

  test('follows no redirect', async () => {
    receiver.behave((response) => response.writeHead(307, { Location: receiver.url }).end())
    expect(await post()).toEqual(answered(307))
    expect(receiver.received).toHaveLength(1)
  })

  test('waits for the body of an answer for a second at most, and then hangs up', async () => {
    const { promise: hungUp, resolve: closed } = Promise.withResolvers<void>()
    receiver.behave((response) => {
      response.on('close', closed)
      response.writeHead(200).write('still writing')
    })
    const begun = performance.now()
    expect(await post()).toEqual(answered(200))
    // What is posted is given up after ten.
    expect(performance.now() - begun).toBeLessThan(9000)
    await hungUp
  })

  test('ends where the receiver wants to talk in another way', async () => {
    const switching =
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'
    receiver.behave((response) => response.socket?.end(switching))
    expect(await post()).toMatchObject({ status_code: null, forbidden: false })
    receiver.behave((response) => response.socket?.end('what do you want?\r\n\r\n'))
    expect(await post()).toMatchObject({ status_code: null, forbidden: false })
  })

  test('survives an answer without end', async () => {
    const { promise: hungUp, resolve: closed } = Promise.withResolvers<void>()
    receiver.behave((response) => {
      const write = () => {
        if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(write))
      }
      response.on('close', () => closed())
      response.writeHead(200)
      write()
    })
    expect(await post()).toEqual(answered(200))
    await hungUp
  })

  test('gives up on a receiver that says nothing in time', async () => {
    receiver.behave('hang')
    expect(await post({ timeoutMs: 20 })).toEqual(unanswered('timeout'))
  })

  test('tells why there was no answer', async () => {
    receiver.behave('hang up')
    expect(await post()).toEqual(unanswered('connection closed without an answer'))
    const gone = await startReceiver()
    await gone.close()
    expect(await post({ url: gone.url })).toEqual(unanswered('connection refused'))
    const lookup: LookupFunction = (_host, _options, callback) =>
      callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '')
    expect(await post({ url: 'http://gone.example/', lookup })).toEqual(
      unanswered('host not found'),
    )
    receiver.behave((response) => response.socket?.end('no http at all\r\n\r\n'))
    expect(await post()).toMatchObject({ status_code: null, error: /^no answer/ })
  })

  test('can be cut short', async () => {
    receiver.behave('hang')
    const abort = new AbortController()
    const outcome = post({ signal: abort.signal })
    await receiver.arrivals(1)
    abort.abort()
    expect(await outcome).toMatchObject({ status_code: null })
  })

  test('is not made to an address that is none', async () => {
    expect(await post({ url: 'http://[' })).toEqual(forbidden('the address is malformed'))
  })
})

describe('in production, a post', () => {
  const inProduction = (url: string, ...addresses: string[]) => {
    const lookup: LookupFunction = (_host, _options, callback) => {
      const found = addresses.map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }))
      callback(null, found)
    }
    return post({ url, lookup, targets: 'public' })
  }

  test('is made over https only', async () => {
    const rejected = forbidden('the address is not https')
    expect(await inProduction('http://lender.example.com/')).toEqual(rejected)
  })

  const here = () => new URL(receiver.url).port

  test.each([
    '127.0.0.1',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '10.0.0.1',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00::1]',
    '[64:ff9b::7f00:1]',
  ])('is not made to %s', async (host) => {
    const outcome = await inProduction(`https://${host}:${here()}/`, '127.0.0.1', '::1')
    expect(outcome).toEqual(forbidden('the address is not public'))
  })

  test('is not made to a host whose name now means an inner address', async () => {
    const outcome = await inProduction(`https://lender.example.com:${here()}/`, '127.0.0.1')
    expect(outcome).toEqual(forbidden('the address is not public'))
  })

  test('dials only the public ones of several addresses', async () => {
    const found = ['10.0.0.1', '192.0.43.8', '::1', '2a00:1450::1'].map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
    const lookup = checkedLookup((_host, _options, callback) => callback(null, found), 'public')
    const dialled = (options: { all: boolean }) =>
      new Promise((resolve) => {
        lookup('lender.example.com', options, (_error, address) => resolve(address))
      })
    expect(await dialled({ all: true })).toEqual([found[1], found[3]])
    expect(await dialled({ all: false })).toBe('192.0.43.8')
  })
})

describe('in a sandbox, a post', () => {
  const dial = (host: string, address: string, targets: WebhookPost['targets'] = 'sandbox') => {
    const lookup: LookupFunction = (_host, _options, callback) =>
      callback(null, [{ address, family: address.includes(':') ? 6 : 4 }])
    const dialled = checkedLookup(lookup, targets)
    return new Promise((resolve) => {
      dialled(host, { all: false }, (error, found) => resolve(error ? error.message : found))
    })
  }

  test.each([
    ['localhost', '127.0.0.1'],
    ['hooks.localhost', '::1'],
    ['lender.example.com', '192.0.43.8'],
    ['lender.example.com', '127.0.0.1'],
    ['receiver', '172.18.0.5'],
    ['receiver', 'fd12:3456::5'],
    ['host.docker.internal', '192.168.65.254'],
  ])('goes to %s at %s', async (host, address) => {
    expect(await dial(host, address)).toBe(address)
  })

  test.each([
    ['router.example.com', '192.168.1.1'],
    ['router.example.com', '10.0.0.1'],
    ['router.example.com', '100.64.0.1'],
    ['router.example.com', 'fd12:3456::1'],
    ['router.example.com', 'fe80::1'],
    ['router.local', '192.168.1.1'],
    ['internal.example.com', '192.168.1.1'],
    ['router.example.com', '::ffff:192.168.1.1'],
  ])('does not go to %s at %s, unless that is allowed', async (host, address) => {
    expect(await dial(host, address)).toBe('the address is private')
    expect(await dial(host, address, 'any')).toBe(address)
  })

  test.each([
    ['metadata.cloud.internal', '169.254.169.254'],
    ['metadata', '169.254.169.254'],
    ['metadata', '169.254.170.2'],
    ['metadata', '169.254.0.23'],
    ['metadata', '169.254.42.42'],
    ['metadata', '100.100.100.200'],
    ['metadata', '168.63.129.16'],
    ['metadata', '::ffff:169.254.0.23'],
    ['metadata', '64:ff9b::a9fe:a9fe'],
    ['metadata', '64:ff9b::169.254.0.23'],
    ['metadata', '64:ff9b::100.100.100.200'],
    ['metadata', 'fd00:ec2::254'],
    ['metadata', 'fd20:ce::254'],
    ['metadata', 'fd00:c1::a9fe:a9fe'],
    ['metadata', 'fd00:42::42'],
    ['metadata', 'fd00:a9fe:a9fe::1'],
    ['metadata', 'fe80::a9fe:a9fe'],
    ['metadata', 'fe80::a9fe:a9fe%eth0'],
  ])('never goes to %s at %s, where a cloud keeps credentials', async (host, address) => {
    expect(await dial(host, address)).toBe('the address is private')
    expect(await dial(host, address, 'any')).toBe('the address is private')
  })

  test.each(['192.168.1.1', '3232235777', '[fd00::1]', '[::ffff:a00:1]', '169.254.169.254'])(
    'does not go to the address %s',
    async (host) => {
      expect(await post({ url: `http://${host}:1/` })).toEqual(forbidden('the address is private'))
    },
  )
})

describe('an address', () => {
  test.each([
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
  ])('is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    '0.0.0.0',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'ff02::1',
    '64:ff9b::a00:1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'localhost',
    '',
  ])('is not public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
