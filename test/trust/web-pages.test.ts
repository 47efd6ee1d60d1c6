import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paths } from '#contract/operations.ts'
import { paths as undatedPaths } from '../../generated/undated.ts'
import { findChromium, launchBrowser } from '../support/browser.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'
import { report } from './support/report.ts'

/** The name of the attacker's page. Chromium finds it on loopback, as DNS rebinding would have it. */
const evil = 'evil.example'

let service: TestService & { client: Tenant }
let port: number
beforeAll(async () => {
  service = await startWorld()
  port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => service.close())

/** The operations that the service has carried out for the well-known client, this one left out. */
async function carriedOut(): Promise<string[]> {
  const { requests } = await service.client.control('sandboxRequestList', {})
  return requests.map(({ path }) => path).filter((path) => path !== undatedPaths.sandboxRequestList)
}

const clients = async (): Promise<number> => {
  const rows = await service.service.database.read((db) =>
    db.all<{ client_id: string }>('select client_id from clients', []),
  )
  return rows.length
}

describe('a request of a foreign page', () => {
  test.each([
    ['another origin', { Origin: `http://${evil}` }],
    ['another origin that looks like ours', { Origin: 'http://localhost.evil.example:4000' }],
    ['a sandboxed frame or a file', { Origin: 'null' }],
    ['a name that has been rebound', { Origin: `http://${evil}:4000`, Host: `${evil}:4000` }],
    ['a rebound name, by GET or with an old browser', { Host: evil }],
  ])('is not carried out: %s', async (kind, headers: Record<string, string>) => {
    const before = [await clients(), await carriedOut()]
    const attacked = [...Object.values(paths), ...Object.values(undatedPaths)]
    for (const path of attacked) {
      const body = path === '/sandbox/client/create' ? { client_name: 'attacker' } : {}
      const { status } = await service.client.post(path, body, headers)
      expect([path, status]).toEqual([path, 400])
    }
    expect([await clients(), await carriedOut()]).toEqual(before)
    report(`no operation is carried out for a page of ${kind}`, { operations: attacked.length })
  })
})

/** What a page does to attack the service at `target`: the names of the attacks that it could read. */
async function attack(target: string): Promise<string[]> {
  const read: string[] = []
  const known = { client_id: 'sandbox-client', secret: 'sandbox-secret' }
  const attempt = async (name: string, path: string, body: object, init: RequestInit) => {
    try {
      const answer = await fetch(target + path, {
        method: 'POST',
        body: JSON.stringify({ ...known, ...body }),
        ...init,
      })
      if (answer.ok) read.push(name)
    } catch {
      // The browser keeps the answer from the page.
    }
  }
  const json = { headers: { 'Content-Type': 'application/json' } }
  await attempt('make a client', '/sandbox/client/create', {}, json)
  await attempt('reset the data', '/sandbox/reset', {}, json)
  await attempt('read webhooks', '/sandbox/webhook/list', {}, json)
  await attempt('read accounts', '/wallet/list', {}, json)
  await attempt('send without asking', '/sandbox/reset', {}, { mode: 'no-cors' })
  const type = 'application/json'
  navigator.sendBeacon(`${target}/sandbox/reset`, new Blob([JSON.stringify(known)], { type }))
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', enctype: 'text/plain', action: `${target}/sandbox/reset` })
  form.target = 'frame'
  const field = document.createElement('input')
  field.name = `{"client_id":"sandbox-client","secret":"sandbox-secret","a":"`
  field.value = '"}'
  form.append(field)
  const frame = document.createElement('iframe')
  frame.name = 'frame'
  document.body.append(form, frame)
  form.submit()
  await new Promise((resolve) => frame.addEventListener('load', resolve))
  return read
}

const chromium = findChromium('attacks of web pages in a browser')

describe.skipIf(!chromium)('a page in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser(chromium as string, [
      `--host-resolver-rules=MAP ${evil} 127.0.0.1`,
      // A permission that Chromium asks its user for, and other browsers do not know.
      '--disable-features=LocalNetworkAccessChecks',
    ])
  })
  afterAll(() => browser?.close())

  /** Opens an empty page of an origin, and runs the attack there. */
  async function attackFrom(origin: string, target: string): Promise<string[]> {
    const page = await browser.newPage()
    const start = `${origin}/start-of-the-attack`
    await page.route(start, (route) => route.fulfill({ contentType: 'text/html', body: '<p>' }))
    await page.goto(start)
    const read = await page.evaluate(attack, target)
    await page.close()
    return read
  }

  test('of another origin changes nothing and reads nothing', async () => {
    const before = [await clients(), await carriedOut()]
    const read = await attackFrom(`http://${evil}:${port + 1}`, `http://127.0.0.1:${port}`)
    expect(read).toEqual([])
    expect([await clients(), await carriedOut()]).toEqual(before)
    report('a page of another origin in Chromium reads and changes nothing', {
      attacks: 7,
      read: 0,
      carried_out: 0,
    })
  })

  test('whose name was rebound to the service changes nothing and reads nothing', async () => {
    const before = [await clients(), await carriedOut()]
    const own = `http://${evil}:${port}`
    expect(await attackFrom(own, own)).toEqual([])
    expect([await clients(), await carriedOut()]).toEqual(before)
    report('a page in Chromium whose name was rebound reads and changes nothing', {
      attacks: 7,
      read: 0,
      carried_out: 0,
    })
  })

  test('on loopback may do all of that: the attack itself works', async () => {
    const before = await clients()
    const read = await attackFrom(`http://localhost:${port + 1}`, `http://127.0.0.1:${port}`)
    expect(read).toEqual(['make a client', 'reset the data', 'read webhooks', 'read accounts'])
    expect(await clients()).toBe(before + 1)
    report('control: the same page on loopback reads and changes the data', {
      attacks: 7,
      read: read.length,
    })
  })
})
