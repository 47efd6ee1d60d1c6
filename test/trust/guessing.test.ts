import { describe, expect, onTestFinished, test } from 'vitest'
import { clientId, createGuesser, genuine, type Told, ways } from './support/guesses.ts'
import { report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { startWatched, type WatchedProcess } from './support/watched-process.ts'

const timeout = 600_000
const guesses = atScale({ quick: 600, normal: 3000, long: 20_000 })

async function start(more: Record<string, string> = {}): Promise<WatchedProcess> {
  const running = await startWatched({
    MEMORY: '1',
    LOG_LEVEL: 'info',
    METRICS_PORT: '0',
    RATE_LIMITS: 'production',
    ...more,
  })
  onTestFinished(async () => void (await running.stop()))
  return running
}

/** Makes so many calls, ten at a time. */
async function repeat(count: number, call: (index: number) => Promise<Told>): Promise<Told[]> {
  const told: Told[] = []
  let next = 0
  const work = async () => {
    while (next < count) told.push(await call(next++))
  }
  await Promise.all(Array.from({ length: 10 }, work))
  return told
}

const checkedOf = (told: readonly Told[]): number =>
  told.filter(({ status }) => status !== 429).length
const wrong = (index: number): string => `wrong-${String(index).padStart(24, '0')}`

const bytes = Uint8Array.from({ length: 33 }, (_, index) => (index * 97 + 251) % 256)

/** Secrets in the forms that people give them. */
const swapped = {
  hex: Buffer.from(bytes).toString('hex'),
  base64: Buffer.from(bytes).toString('base64'),
  base64url: Buffer.from(bytes).toString('base64url'),
  words: 'correct horse battery staple',
}

const claim = (id: string) => ({ headers: { 'SERVICE-CLIENT-ID': id, 'SERVICE-SECRET': 'x' } })

async function metric(running: WatchedProcess, labels: string): Promise<number> {
  const text = await (await fetch(`${running.metricsUrl}`)).text()
  const line = text
    .split('\n')
    .find((one) => one.startsWith(`fds_credentials_rejected_total{${labels}`))
  return Number(line?.split(' ')[1] ?? 0)
}

describe('a client that guesses', () => {
  test.each(Object.keys(ways))(
    '%s is slowed down, and other clients are not',
    { timeout },
    async (way) => {
      const running = await start()
      const send = createGuesser(running.url)
      const begun = performance.now()
      const told = await repeat(guesses, (index) =>
        send((ways[way] as (typeof ways)[string])(wrong(index))),
      )
      const seconds = (performance.now() - begun) / 1000
      const checked = checkedOf(told)
      // Ten at once may be looked at before the first of them counts; one comes back every 3 seconds.
      expect(checked).toBeLessThanOrEqual(20 + 10 + Math.ceil(seconds / 3))
      expect(checked).toBeGreaterThanOrEqual(20)
      const limited = told.filter(({ status }) => status === 429)
      expect(limited.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
      expect((await send(genuine('127.0.0.2'))).status).toBe(200)
      const name = way.replace(/^a (client )?| .*$/g, '')
      const kind = { secret: 'secret', public: 'public_key', bearer: 'bearer_token' }[name]
      expect(await metric(running, `credentials="${kind}",result="wrong"`)).toBe(checked)
      expect(await metric(running, `credentials="${kind}",result="limited"`)).toBe(
        guesses - checked,
      )
      report(`guessing ${way} is slowed down`, { guesses, looked_at: checked, a_minute_then: 20 })
    },
  )

  test('shows in the log with the claimed client and the address, and without the guess', async () => {
    const running = await start()
    const send = createGuesser(running.url)
    const headers = {
      'SERVICE-CLIENT-ID': 'behind',
      'SERVICE-SECRET': 'x',
      'X-Forwarded-For': '::1',
    }
    await send({ headers })
    // A caller that mixes up the two headers sends its secret as the id of its client.
    for (const leaked of Object.values(swapped)) await send(claim(leaked))
    await repeat(60, (index) =>
      send((ways['a secret in the header'] as (typeof ways)[string])(wrong(index))),
    )
    const find = (text: string) =>
      running
        .output()
        .split('\n')
        .filter((line) => line.includes(text))
        .map((line) => JSON.parse(line))
    await expect.poll(() => find('"too many wrong credentials"').length).toBeGreaterThan(0)
    const told = { credentials: 'secret', claimed_client: clientId, peer: '127.0.0.1' }
    const wrongOnes = find('"wrong credentials"').filter((line) => line.claimed_client)
    expect(wrongOnes[0]).toMatchObject({ ...told, level: 'info' })
    expect(find('"too many wrong credentials"')[0]).toMatchObject({ ...told, level: 'warn' })
    expect(wrongOnes[0]).not.toHaveProperty('forwarded')
    expect(find('"forwarded":true')).toMatchObject([{ peer: '127.0.0.1' }])
    expect(running.output()).not.toContain('wrong-0000')
    for (const leaked of Object.values(swapped)) expect(running.output()).not.toContain(leaked)
  })

  test('with a client id that does not exist is distinguished from others by a digest', async () => {
    const running = await start()
    const send = createGuesser(running.url)
    for (const leaked of [swapped.base64, swapped.base64, swapped.base64url]) {
      await send(claim(leaked))
    }
    const digests = () =>
      running
        .output()
        .split('\n')
        .filter((line) => line.includes('"claimed_digest"'))
        .map((line) => JSON.parse(line).claimed_digest)
    await expect.poll(() => digests().length).toBe(3)
    const [first, second, third] = digests()
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect(first).toMatch(/^[0-9a-f]{12}$/)
    expect(running.output()).not.toContain(swapped.base64.slice(0, 12))
    report('a secret sent as the client id is not logged', { forms: Object.keys(swapped).length })
  })

  test('is not slowed down where limits are off: the control', async () => {
    const running = await start({ RATE_LIMITS: 'off' })
    const send = createGuesser(running.url)
    const begun = performance.now()
    const told = await repeat(guesses, (index) =>
      send((ways['a secret in the body'] as (typeof ways)[string])(wrong(index))),
    )
    const seconds = (performance.now() - begun) / 1000
    expect(checkedOf(told)).toBe(guesses)
    report('control: without limits every guess is looked at', {
      guesses,
      guesses_per_s: Math.round(guesses / seconds),
    })
  })
})

describe('the header X-Forwarded-For', () => {
  const guess = (index: number, from: string) => ({
    headers: {
      'SERVICE-CLIENT-ID': clientId,
      'SERVICE-SECRET': wrong(index),
      'X-Forwarded-For': from,
    },
  })

  test('is ignored by default, so that a guesser cannot change its address', async () => {
    const send = createGuesser((await start()).url)
    const told = await repeat(100, (index) => send(guess(index, `203.0.113.${index}`)))
    expect(checkedOf(told)).toBeLessThanOrEqual(32)
  })

  test('tells callers apart where TRUST_PROXY names the proxy, and its last address counts', async () => {
    const send = createGuesser((await start({ TRUST_PROXY: '127.0.0.1' })).url)
    const told = await repeat(100, (index) =>
      send(guess(index, `203.0.113.${index}, 198.51.100.7`)),
    )
    expect(checkedOf(told)).toBeLessThanOrEqual(32)
    const other = { ...genuine('127.0.0.1').headers, 'X-Forwarded-For': '198.51.100.8' }
    expect((await send({ headers: other })).status).toBe(200)
    // From an address that is no proxy the header says nothing.
    const direct = await repeat(100, (index) =>
      send({ ...guess(index, `203.0.113.${index}`), from: '127.0.0.3' }),
    )
    expect(checkedOf(direct)).toBeLessThanOrEqual(32)
    report('a guesser cannot change its address by X-Forwarded-For', { guesses: 200 })
  })
})
