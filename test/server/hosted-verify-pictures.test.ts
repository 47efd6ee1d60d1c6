import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { samplePicture } from '../../src/server/identity-verification/pictures/samples.ts'
import { createVisitor, type Visitor } from '../support/link-visitor.ts'
import { jpegOf, pngOf } from '../support/pictures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  answerAll,
  answersOf,
  type Opened,
  readAttempt,
  startAt,
  visit,
} from '../support/verify-visitor.ts'

// What people send in place of a picture, and what is left of it.

let service: TestService
let tenant: Tenant
const lines: string[] = []
beforeAll(async () => {
  service = await startService({
    log: {
      info: (...parts) => lines.push(JSON.stringify(parts)),
      error: (error, ...parts) => lines.push(String(error), JSON.stringify(parts)),
    },
  })
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
})

const statusOf = async (opened: Opened) => (await readAttempt(tenant, opened)).status
const until = (visitor: Visitor, page: string) => answerAll(visitor, answersOf('Talvik'), page)

describe('a picture', () => {
  const toFront = async () => {
    const opened = await startAt(tenant, ['documentary_verification'])
    const person = await visit(service, opened.path)
    await until(person, 'front')
    return { opened, person }
  }
  const page = Buffer.from('<script>alert(1)</script>')

  test.each([
    ['no file at all', Buffer.alloc(0), '', 'Choose a picture'],
    ['an empty file', Buffer.alloc(0), 'a.png', 'The file is empty'],
    ['a page', page, 'a.png', 'neither a JPEG nor a PNG'],
    ['a PDF', Buffer.from('%PDF-1.7'), 'a.jpg', 'neither a JPEG nor a PNG'],
    ['a page before a picture', Buffer.concat([page, pngOf()]), 'a.png', 'neither a JPEG'],
    ['a picture that is cut', pngOf().subarray(0, 60), 'a.png', 'is damaged'],
    ['100 megapixels', pngOf(10_000, 10_000), 'a.png', 'too many pixels'],
    ['100 megapixels as a JPEG', jpegOf(10_000, 10_000), 'a.jpg', 'too many pixels'],
    ['a stamp', pngOf(100, 100), 'a.png', 'too small to read'],
    ['8 MB and a byte', Buffer.alloc(8 * 1024 * 1024 + 1), 'a.png', 'larger than 8 MB'],
  ])('is not %s: the page says so, and nothing is stored', async (_name, bytes, name, text) => {
    const { opened, person } = await toFront()
    await person.upload({ name, bytes })
    expect(person.last().heading).toMatch(/^Front of your document/)
    expect(person.last().html).toContain(text)
    expect(await statusOf(opened)).toBe('active')
    const stored = await service.service.database.read((db) =>
      db.all('select name from identity_verification_pictures where client_id = $1', [
        tenant.clientId,
      ]),
    )
    expect(stored).toEqual([])
  })

  test('of 40 MB is read to its end, since browsers send all before they show the page', async () => {
    const { person } = await toFront()
    await service.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = service.app.server.address() as AddressInfo
    const { html, path } = person.last()
    const [, turn = ''] = /name="turn" value="(\d+)"/.exec(html) ?? []
    const sending = request({
      ...{ port, path, method: 'POST', host: '127.0.0.1' },
      headers: {
        host: '127.0.0.1:4000',
        cookie: [...person.cookies].map((pair) => pair.join('=')).join('; '),
        'sec-fetch-site': 'same-origin',
        'content-type': 'multipart/form-data; boundary=b',
      },
    })
    const answered = once(sending, 'response')
    const head = 'content-disposition: form-data; name='
    sending.write(`--b\r\n${head}"turn"\r\n\r\n${turn}\r\n--b\r\n`)
    sending.write(`${head}"file"; filename="a.jpg"\r\n\r\n`)
    const mb = Buffer.alloc(1024 * 1024, 'x')
    for (let sent = 0; sent < 40; sent += 1) {
      if (!sending.write(mb)) await once(sending, 'drain')
    }
    sending.end('\r\n--b--\r\n')
    const [answer] = (await answered) as [IncomingMessage]
    expect(answer.statusCode).toBe(303)
    answer.destroy()
    expect((await person.open(String(answer.headers.location))).html).toContain('larger than 8 MB')
  })

  test('that is also a page or an archive is stored as a picture alone', async () => {
    const { opened, person } = await toFront()
    const bytes = Buffer.concat([pngOf(), page, Buffer.from('PK\x03\x04')])
    await person.upload({ name: '../../etc/passwd<script>.html', bytes })
    expect(person.last().heading).toMatch(/^Back of your document/)
    expect(person.last().html).not.toContain('passwd')
    await person.upload({ name: 'b.png', bytes: pngOf() })
    expect(person.last().heading).toBe('Your identity is verified')
    const { documentary_verification } = await readAttempt(tenant, opened)
    const { original_front } = documentary_verification!.documents[0]!.images
    const served = await service.fetch(new Request(original_front!))
    expect(served.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await served.arrayBuffer())).toEqual(pngOf())
  })

  test('that is a saved sample has the outcome of the sample', async () => {
    const { opened, person } = await toFront()
    const [, saved = ''] =
      /src="data:image\/png;base64,([^"]+)"><span>A forgery/.exec(person.last().html) ?? []
    const bytes = Buffer.from(saved, 'base64')
    expect(bytes).toEqual(Buffer.from(samplePicture('document_failed')))
    await person.upload({ name: 'saved.png', bytes })
    await person.upload({ name: 'saved.png', bytes: pngOf() })
    expect(await statusOf(opened)).toBe('failed')
  })

  test('of a stranger is not even read', async () => {
    const { person } = await toFront()
    const stranger = createVisitor(service)
    for (const [name, value] of person.cookies) stranger.cookies.set(name, `${value}0`)
    const { status } = await stranger.upload(
      { name: 'a.png', bytes: pngOf() },
      { page: person.last() },
    )
    expect([404, 410]).toContain(status)
  })

  test('in a form without end, or with several files, is one file at most', async () => {
    const { person } = await toFront()
    const { html, path } = person.last()
    const [, turn = ''] = /name="turn" value="(\d+)"/.exec(html) ?? []
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const post = (payload: string | Buffer, type = 'multipart/form-data; boundary=b') =>
      service.app.inject({
        method: 'POST',
        url: path,
        headers: {
          host: '127.0.0.1:4000',
          cookie,
          'sec-fetch-site': 'same-origin',
          'content-type': type,
        },
        payload,
      })
    const field = (name: string, value: string) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const many = Array.from({ length: 40 }, (_, at) => field(`f${at}`, 'x')).join('')
    for (const answer of [
      await post(many),
      await post(
        `${field('turn', turn)}--b\r\ncontent-disposition: form-data; name="file"; filename="a"`,
      ),
      await post('nothing', 'multipart/form-data'),
      await post('{}', 'application/json'),
      await post(Buffer.alloc(20_000, 'x'), 'text/plain'),
    ]) {
      expect(answer.statusCode).toBeLessThan(500)
      expect(answer.statusCode).not.toBe(200)
    }
    await person.open(path)
    expect(person.last().heading).toMatch(/^Front of your document/)
  })
})

test('nothing of a person, and no key, is logged or stored in words', async () => {
  const opened = await startAt(tenant, [
    'verify_sms',
    'kyc_check',
    'documentary_verification',
    'selfie_check',
  ])
  const person = await visit(service, opened.path)
  await until(person, 'document')
  await until(person, 'front')
  await person.upload({ name: 'maren-talvik-passport.png', bytes: pngOf() })
  const rows = await service.service.database.read((db) =>
    db.all('select * from verification_sessions where client_id = $1', [tenant.clientId]),
  )
  const [, key = ''] = opened.path.split('key=')
  const secrets = [...person.cookies.values()].map((value) => value.split('.').at(-1) ?? '')
  const told = lines.join('\n')
  for (const text of [
    key,
    ...secrets,
    'Talvik',
    '900123456',
    '4155550142',
    'passport.png',
    '123456',
  ]) {
    expect(told).not.toContain(text)
  }
  for (const text of [key, ...secrets, 'Talvik', '900123456', '4155550142', 'passport.png']) {
    expect(JSON.stringify(rows)).not.toContain(text)
  }
})
