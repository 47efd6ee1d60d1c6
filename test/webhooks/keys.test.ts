import { beforeEach, describe, expect, test } from 'vitest'
import { type KeySource, type PublicKey, verifyWebhook } from '../../src/webhooks/index.ts'
import { body, iat, key, published, token } from '../support/webhook-vectors.ts'

type Answer = Awaited<ReturnType<KeySource['webhookVerificationKeyGet']>>

let asked: string[]
let known: Map<string, PublicKey>
let seconds: number
let current: string

beforeEach(() => {
  asked = []
  known = new Map([[key.kid, key]])
  seconds = iat
  current = key.kid
})

/** A client whose service answers from `known`, or as configured. */
function clientOf(answer?: (kid: string, signal?: AbortSignal) => Promise<Answer>): KeySource {
  return {
    async webhookVerificationKeyGet({ key_id }, { signal } = {}) {
      asked.push(key_id)
      if (answer) return answer(key_id, signal)
      const found = known.get(key_id)
      if (found) return { data: { key: found } }
      return { error: { error_code: 'INVALID_WEBHOOK_VERIFICATION_KEY_ID' } }
    },
  }
}

/** A client whose service names its current key where another one is unknown. */
const naming = (isAway = () => false): KeySource =>
  clientOf(async (key_id) => {
    if (isAway()) throw new TypeError('fetch failed')
    const found = known.get(key_id)
    if (found) return { data: { key: found } }
    const response = { headers: new Headers({ 'Current-Key-Id': current }) }
    return { error: { error_code: 'INVALID_WEBHOOK_VERIFICATION_KEY_ID' }, response }
  })

/** Why a webhook of this key, signed now, is rejected; null when it is verified. */
async function verdict(client: KeySource, kid = key.kid): Promise<string | null> {
  const jwt = token({ header: { kid }, claims: { iat: Math.floor(seconds) } })
  const options = { client, now: () => seconds * 1000 }
  return verifyWebhook(body, { 'service-verification': jwt }, options).then(
    () => null,
    ({ reason }) => reason,
  )
}

const verdicts = (client: KeySource, kids: string[]) =>
  Promise.all(kids.map((kid) => verdict(client, kid)))

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `key ${index}`)
const hour = 3600

describe('a key', () => {
  test('is fetched once for many webhooks, and once when they come together', async () => {
    const client = clientOf()
    expect(await verdicts(client, names(20).fill(key.kid))).toEqual(Array(20).fill(null))
    expect(await verdict(client)).toBe(null)
    expect(asked).toEqual([key.kid])
  })

  test('belongs to the client that fetched it', async () => {
    await verdict(clientOf())
    await verdict(clientOf())
    expect(asked).toEqual([key.kid, key.kid])
  })

  test('is fetched again after an hour, so that its retirement is noticed', async () => {
    const client = clientOf()
    await verdict(client)
    known.set(key.kid, { ...key, expired_at: iat + 60 })
    seconds += hour - 1
    expect(await verdict(client)).toBe(null)
    seconds += 1
    expect(await verdict(client)).toBe('expired_key')
    expect(asked).toHaveLength(2)
  })

  test('is fetched again once a newer one was seen, since rotation retires it', async () => {
    const client = clientOf()
    await verdict(client)
    known.set(key.kid, { ...key, expired_at: iat + 1 })
    known.set('new', { ...key, kid: 'new' })
    seconds += 5
    expect(await verdicts(client, ['new', 'new'])).toEqual([null, null])
    expect(await verdict(client)).toBe('expired_key')
    expect(await verdicts(client, ['new', key.kid])).toEqual([null, 'expired_key'])
    expect(asked).toEqual([key.kid, 'new', key.kid])
  })

  test('stays when two new ones come at once', async () => {
    const client = clientOf()
    for (const kid of ['a', 'b']) known.set(kid, { ...key, kid })
    expect(await verdicts(client, ['a', 'b'])).toEqual([null, null])
    expect(await verdicts(client, ['a', 'b', 'a', 'b'])).toEqual(Array(4).fill(null))
    expect(asked).toEqual(['a', 'b', 'a'])
  })

  test('makes room for others beyond a hundred', async () => {
    const client = clientOf()
    for (const kid of names(101)) known.set(kid, { ...key, kid })
    for (const kid of names(101)) expect(await verdict(client, kid)).toBe(null)
    asked = []
    // The first is new again, and like every new one has the others read again.
    await verdicts(client, ['key 100'])
    await verdicts(client, ['key 0'])
    await verdicts(client, ['key 100'])
    expect(asked).toEqual(['key 0', 'key 100'])
  })
})

describe('an id that does not exist', () => {
  test('is a forgery', async () => {
    expect(await verdict(clientOf(), 'nobody')).toBe('unknown_key')
  })

  test('is not asked for without limit, and harms nothing that is known', async () => {
    const client = clientOf()
    await verdict(client)
    const flood = await verdicts(client, names(500))
    expect(flood.filter((reason) => reason === 'unknown_key')).toHaveLength(30)
    expect(flood.filter((reason) => reason === 'key_unavailable')).toHaveLength(470)
    expect(asked).toHaveLength(31)
    expect(await verdict(client)).toBe(null)
  })

  test('can be asked for again after a minute', async () => {
    const client = clientOf()
    await verdicts(client, names(31))
    known.set('new', { ...key, kid: 'new' })
    expect(await verdict(client, 'new')).toBe('key_unavailable')
    seconds += 60
    expect(await verdict(client, 'new')).toBe(null)
  })

  test('does not count against those that exist', async () => {
    const client = clientOf()
    for (const kid of names(60)) known.set(kid, { ...key, kid })
    for (const kid of names(60)) expect(await verdict(client, kid)).toBe(null)
  })

  test('may have existed before', async () => {
    const client = clientOf()
    await verdict(client)
    known.clear()
    seconds += hour
    for (const kid of names(50).fill(key.kid)) {
      expect(await verdict(client, kid)).toBe('unknown_key')
    }
    expect(asked).toHaveLength(2)
  })

  test('is asked for once a minute, and takes nothing from others', async () => {
    const client = clientOf()
    for (const kid of names(500).fill('nobody')) {
      expect(await verdict(client, kid)).toBe('unknown_key')
    }
    expect(asked).toEqual(['nobody'])
    expect(await verdict(client)).toBe(null)
    seconds += 60
    await verdict(client, 'nobody')
    expect(asked).toEqual(['nobody', key.kid, 'nobody'])
  })

  test('leaves the key that the service names as current to be asked for', async () => {
    const client = naming()
    const flood = verdicts(client, names(500))
    expect(await verdict(client)).toBe(null)
    await flood
    expect(asked).toHaveLength(31)
    expect(await verdict(client)).toBe(null)
  })

  test('leaves a new key to be asked for two seconds after a rotation', async () => {
    const client = naming()
    await verdicts(client, names(40))
    current = 'new'
    known.set('new', { ...key, kid: 'new' })
    expect(await verdict(client, 'new')).toBe('key_unavailable')
    seconds += 2
    expect(await verdict(client, 'yet another')).toBe('unknown_key')
    expect(await verdict(client, 'new')).toBe(null)
  })

  test('leaves known keys to be fetched again, also after a failure', async () => {
    let isAway = false
    const client = naming(() => isAway)
    await verdict(client)
    seconds += hour
    await verdicts(client, names(40))
    isAway = true
    expect(await verdict(client)).toBe('key_unavailable')
    isAway = false
    expect(await verdict(client)).toBe(null)
  })

  test('does not keep a known key from being fetched again', async () => {
    const client = clientOf()
    await verdict(client)
    seconds += hour
    await verdicts(client, names(40))
    expect(await verdict(client)).toBe(null)
  })
})

describe('a service that cannot say', () => {
  const failures: [string, () => Promise<Answer>][] = [
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['fails', async () => ({ error: { error_code: 'INTERNAL_SERVER_ERROR' } })],
    ['limits the rate', async () => ({ error: { error_code: 'RATE_LIMIT' } })],
    ['refuses the credentials', async () => ({ error: { error_code: 'INVALID_API_KEYS' } })],
    ['says nothing', async () => ({})],
  ]

  test.each(failures)('makes no forgery of a webhook when it %s', async (_, answer) => {
    const verified = verifyWebhook(
      body,
      { 'service-verification': published },
      { client: clientOf(answer), now: () => iat * 1000 },
    )
    await expect(verified).rejects.toMatchObject({ reason: 'key_unavailable', status: 503 })
  })

  test('leaves its failure as the cause', async () => {
    const failure = new TypeError('fetch failed')
    const client = clientOf(() => Promise.reject(failure))
    const verified = verifyWebhook(body, { 'service-verification': published }, { client })
    await expect(verified).rejects.toMatchObject({ cause: failure })
  })

  test('is asked again with the next webhook', async () => {
    let answers = 0
    const client = clientOf(async () => {
      answers += 1
      if (answers === 1) throw new TypeError('fetch failed')
      return { data: { key } }
    })
    expect(await verdict(client)).toBe('key_unavailable')
    expect(await verdict(client)).toBe(null)
  })

  test('is not waited for longer than the sender of a webhook waits', async () => {
    const limits: (AbortSignal | undefined)[] = []
    const client = clientOf(async (_, signal) => {
      limits.push(signal)
      return { data: { key } }
    })
    await verdict(client)
    expect(limits).toEqual([expect.any(AbortSignal)])
  })
})
