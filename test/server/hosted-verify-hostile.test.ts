import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createVisitor, type Visitor } from '../support/link-visitor.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  answerAll,
  answersOf,
  type Opened,
  pageOf,
  readAttempt,
  startAt,
  visit,
} from '../support/verify-visitor.ts'

// What people do to the page of a verification who mean harm, or who are in a hurry.

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
})

const statusOf = async (opened: Opened) => (await readAttempt(tenant, opened)).status
const until = (visitor: Visitor, page: string) => answerAll(visitor, answersOf('Talvik'), page)

describe('a link', () => {
  test('that two people open belongs to the one who continues, and shows neither the other', async () => {
    const { path } = await startAt(tenant, ['accept_tos', 'kyc_check'])
    const first = await visit(service, path)
    await until(first, 'birth')
    const second = await visit(service, path)
    expect([second.last().status, second.last().heading]).toEqual([
      409,
      'This link is open in another browser',
    ])
    await second.send()
    expect(second.last().heading).toBe('What is your name?')
    expect(second.last().html).not.toContain('Maren')
    await first.send({ 'bday-day': '23', 'bday-month': '7', 'bday-year': '1991' })
    expect([first.last().status, first.last().heading]).toEqual([
      410,
      'You continued in another browser',
    ])
    expect(first.last().html).toContain('If that was not you, tell')
    // The address of a page opens to no other browser.
    await first.open(second.last().path)
    expect([first.last().status, first.last().heading]).toEqual([
      404,
      'This verification goes on in another browser',
    ])
  })

  test('is not used up by programs that preview it', async () => {
    const { path } = await startAt(tenant, ['accept_tos', 'kyc_check'])
    await visit(service, path)
    await visit(service, path)
    const person = await visit(service, path)
    expect(person.last().heading).toMatch(/^Verify your identity/)
    const head = await service.app.inject({ method: 'HEAD', url: path })
    expect([head.statusCode, head.headers['set-cookie']]).toEqual([200, undefined])
  })

  test('opens nothing any more after the end, however often its key is used', async () => {
    const opened = await startAt(tenant, ['accept_tos'])
    const person = await visit(service, opened.path)
    await answerAll(person)
    const thief = await visit(service, opened.path)
    expect(thief.last().heading).toBe('Your identity is verified')
    expect(thief.cookies.size).toBe(0)
    await thief.send()
    expect(thief.last().heading).toBe('Your identity is verified')
  })

  test.each([
    ['without its key', (path: string) => path.replace(/\?.*/, '')],
    ['with a key that was cut', (path: string) => path.slice(0, -1)],
    ['with another key', (path: string) => path.replace(/key=.*/, `key=${'0'.repeat(64)}`)],
    ['with a key in capitals', (path: string) => path.replace(/key=.*/, `key=${'A'.repeat(64)}`)],
    ['with two keys', (path: string) => path.replace('key=', 'key=1&key=')],
    ['with another id', (path: string) => path.replace(/idv_\w+/, 'idv_0000000000000a')],
    ['with an id that is none', (path: string) => path.replace(/idv_\w+/, '%00..%2f..')],
    ['with a query of a database', (path: string) => path.replace(/idv_\w+/, "' or 1=1 --")],
  ])('%s does not work, and says so', async (_name, change) => {
    const { path } = await startAt(tenant, ['accept_tos'])
    const { status, heading, html } = await createVisitor(service).open(change(path))
    expect([status, heading]).toEqual([404, 'This link does not work'])
    expect(html).toContain('ask the application that sent it to you for a new one')
  })

  test('has the key of no other attempt, also of the same client', async () => {
    const [one, other] = [
      await startAt(tenant, ['accept_tos']),
      await startAt(tenant, ['accept_tos']),
    ]
    const mixed = one.path.replace(/key=.*/, /key=.*/.exec(other.path)?.[0] ?? '')
    expect((await createVisitor(service).open(mixed)).status).toBe(404)
  })
})

describe('the cookie of a page', () => {
  test('is the only secret, and is for scripts and other sites of no use', async () => {
    const { path } = await startAt(tenant, ['accept_tos', 'kyc_check'])
    const person = await visit(service, path)
    expect(person.given).toHaveLength(1)
    expect(person.given[0]).toMatch(
      /^verify-[\w-]+=\S+; Path=\/verify; Max-Age=86400; HttpOnly; SameSite=Lax$/,
    )
    expect(person.last().headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
      'content-security-policy': expect.stringMatching(/frame-ancestors 'none'/),
    })
    expect(person.last().headers['content-security-policy']).not.toContain('unsafe')
    const [, key = ''] = path.split('key=')
    const secret = [...person.cookies.values()].join()
    for (const text of [key, secret]) expect(person.last().html).not.toContain(text)
  })

  test('opens no session but its own', async () => {
    const one = await visit(service, (await startAt(tenant, ['accept_tos'])).path)
    const other = await visit(service, (await startAt(tenant, ['accept_tos'])).path)
    const [name = ''] = [...one.cookies.keys()]
    for (const value of [...other.cookies.values(), 'x', '', 'a.b.c', `${'0'.repeat(64)}`]) {
      const thief = createVisitor(service)
      thief.cookies.set(name, value)
      const { status, html } = await thief.open(one.last().path)
      expect([404, 410]).toContain(status)
      expect(html).toMatch(/open the link again that brought you here/i)
    }
  })
})

describe('a form', () => {
  test('that is sent twice counts once', async () => {
    const opened = await startAt(tenant, ['accept_tos', 'verify_sms'])
    const person = await visit(service, opened.path)
    const terms = person.last()
    await person.send()
    const [again] = [await person.send({}, { page: terms })]
    expect([again.status, again.heading]).toEqual([200, 'This page is out of date'])
    expect(again.html).toContain('Go to the current page')
    const phone = await person.open(again.path.replace('stale', 'now'))
    const both = await Promise.all([
      person.send({ tel: '+14155550142' }, { page: phone }),
      person.send({ tel: '+14155550142' }, { page: phone }),
    ])
    expect(both.map(pageOf).sort()).toEqual(['code', 'stale'])
    await person.open(phone.path.replace(/\w+$/, 'code'))
    await person.send({ 'one-time-code': '123456' })
    const { verify_sms } = await readAttempt(tenant, opened)
    expect(verify_sms?.verifications).toMatchObject([{ delivery_attempt_count: 1 }])
  })

  test('of another tab is out of date, and what the first one sent stands', async () => {
    const opened = await startAt(tenant, ['kyc_check'])
    const person = await visit(service, opened.path)
    const tab = person.last()
    await person.send({ 'given-name': 'Maren', 'family-name': 'Talvik' })
    await person.send({ 'given-name': 'Mallory', 'family-name': 'Other' }, { page: tab })
    expect(person.last().heading).toBe('This page is out of date')
    await person.open(tab.path.replace(/\w+$/, 'now'))
    await answerAll(person)
    expect((await readAttempt(tenant, opened)).user.name?.given_name).toBe('Maren')
  })

  test('comes back filled in for a person who goes back, up to what was sent to a check', async () => {
    const { path } = await startAt(tenant, ['kyc_check', 'selfie_check'])
    const person = await visit(service, path)
    await until(person, 'country')
    const here = person.last().path
    const name = await person.open(here.replace(/\w+$/, 'name'))
    expect(name.html).toContain('value="Talvik"')
    await person.send({ 'given-name': 'Maren Liis', 'family-name': 'Talvik' })
    expect(person.last().heading).toBe('In which country do you live?')
    await until(person, 'selfie')
    // The answers are with the check now.
    expect((await person.open(here.replace(/\w+$/, 'name'))).heading).toBe('A picture of your face')
  })

  test.each(['phone', 'code', 'answers', 'document', 'front', 'back', 'selfie', 'waiting', 'done'])(
    'of the page %s does nothing before its turn',
    async (page) => {
      const opened = await startAt(tenant, [
        'accept_tos',
        'verify_sms',
        'kyc_check',
        'documentary_verification',
        'selfie_check',
      ])
      const person = await visit(service, opened.path)
      const shown = person.last()
      const target = { ...shown, html: shown.html.replace(/terms"/, `${page}"`) }
      const { heading } = await person.send(
        { sample: 'selfie', 'one-time-code': '123456' },
        { page: target },
      )
      expect(heading).toBe('This page is out of date')
      expect((await readAttempt(tenant, opened)).steps.accept_tos).toBe('active')
    },
  )

  test.each(['', '-1', '1', '00', '0 ', '0x0', 'NaN', '9'.repeat(40)])(
    'with the turn "%s" is out of date',
    async (turn) => {
      const opened = await startAt(tenant, ['accept_tos'])
      const person = await visit(service, opened.path)
      const { html } = person.last()
      const page = { ...person.last(), html: html.replace('name="turn"', 'name="old"') }
      expect((await person.send({ turn }, { page })).heading).toBe('This page is out of date')
      expect(await statusOf(opened)).toBe('active')
    },
  )

  test('of another site, or of nobody knows whom, does nothing', async () => {
    const opened = await startAt(tenant, ['accept_tos'])
    const person = await visit(service, opened.path)
    const page = person.last()
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://127.0.0.1:9999' },
      { origin: 'null' },
      {},
    ]
    for (const headers of foreign) {
      const { status, heading } = await person.send({}, { page, headers })
      expect([status, heading]).toEqual([403, 'This form came from another page'])
    }
    expect(await statusOf(opened)).toBe('active')
  })

  test('cannot bring characters that hide or turn what a reviewer reads', async () => {
    const opened = await startAt(tenant, ['kyc_check'])
    const person = await visit(service, opened.path)
    await person.send({ 'given-name': '\u202eMaren\u0000\u200b', 'family-name': 'Tal\r\nvik' })
    await answerAll(person)
    const { user } = await readAttempt(tenant, opened)
    expect(user.name).toEqual({ given_name: 'Maren', family_name: 'Tal vik' })
  })

  test('that is too large, or has fields of its own, says so or does no more', async () => {
    const opened = await startAt(tenant, ['kyc_check'])
    const person = await visit(service, opened.path)
    const page = person.last()
    const large = await person.send({ 'given-name': 'x'.repeat(20_000) }, { page })
    expect([large.status, large.heading]).toEqual([413, 'The form is too large'])
    await person.send({ 'given-name': 'x'.repeat(5000), 'family-name': '<b>\u0000' }, { page })
    expect(person.last().html).toMatch(/<title>Error: What is your name/)
    expect(person.last().html).not.toContain('<b>')
    await person.send({
      'given-name': ['Maren', 'Mallory'],
      'family-name': 'Talvik',
      status: 'success',
      steps: 'success',
      __proto__: 'x',
      constructor: 'x',
      attempt: 'idv_0000000000000a',
    })
    expect(person.last().heading).toBe('When were you born?')
    expect(await statusOf(opened)).toBe('active')
  })
})

describe('a code', () => {
  const toCode = async () => {
    const opened = await startAt(tenant, ['verify_sms'])
    const person = await visit(service, opened.path)
    await until(person, 'code')
    return { opened, person }
  }

  test('that was guessed three times works no more, not even the right one', async () => {
    const { person } = await toCode()
    const page = person.last()
    for (const left of [2, 1]) {
      await person.send({ 'one-time-code': '000000' })
      expect(person.last().html).toMatch(left === 2 ? /2 more times/ : /one more time/)
    }
    await person.send({ 'one-time-code': '000000' })
    expect(person.last().html).toContain('Send a new code')
    const { html } = person.last()
    const at = { ...person.last(), html: html.replace('/phone', '/code') }
    await person.send({ 'one-time-code': '123456' }, { page: at })
    expect(person.last().heading).toBe('This page is out of date')
    await person.send({ 'one-time-code': '123456' }, { page })
    expect(person.last().heading).toBe('This page is out of date')
  })

  test('works for ten minutes', async () => {
    const { person } = await toCode()
    await tenant.control('sandboxClockAdvance', { seconds: 599 })
    await person.send({ 'one-time-code': '000000' })
    expect(person.last().html).toContain('2 more times')
    await tenant.control('sandboxClockAdvance', { seconds: 1 })
    await person.send({ 'one-time-code': '123456' })
    expect(person.last().html).toContain('The code is more than ten minutes old')
    await person.send({ again: 'yes' })
    await person.send({ 'one-time-code': '123-456' })
    expect(person.last().heading).toBe('Your identity is verified')
  })

  test('is sent five times, and then the step fails', async () => {
    const { opened, person } = await toCode()
    for (let sent = 1; sent < 5; sent += 1) await person.send({ again: 'yes' })
    expect(await statusOf(opened)).toBe('active')
    await person.send({ again: 'yes' })
    expect(person.last().heading).toBe('Your identity could not be verified')
  })
})
