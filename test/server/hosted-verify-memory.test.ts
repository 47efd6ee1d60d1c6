import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chunk, jpegOf, pngHeader, pngOf, pngSignature } from '../support/pictures.ts'
import {
  addressOf,
  launch,
  type ServiceProcess,
  toServiceProcess,
} from '../support/service-process.ts'

// What a picture costs the process that checks it, whatever is in its file.

const mb = 1024 * 1024
const mostMb = 50
const canMeasure = existsSync('/proc/self/clear_refs')
if (!canMeasure) console.log('SKIPPED: the memory of a picture: there is no /proc/self/clear_refs')

let service: ServiceProcess
let pid = 0
beforeAll(async () => {
  if (!canMeasure) return
  const { child } = launch({ environment: { NODE_OPTIONS: '' }, showsErrors: true })
  const url = await addressOf(child)
  if (url === undefined || child.pid === undefined) throw new Error('the service did not listen')
  service = toServiceProcess(child, url)
  pid = child.pid
})
afterAll(async () => void (await service?.stop()))

/** The resident memory in MB: now, or the most since the mark was set. */
const memory = (name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
  1024

/** The page that asks for a front, as a browser without a script has it. */
async function toFront(): Promise<{ url: string; cookie: string; turn: string }> {
  const call = (path: string, body: object) =>
    service.post(path, body).then(({ body: answer }) => answer as Record<string, string>)
  const { template_id } = await call('/sandbox/identity_verification_template/create', {
    steps: ['documentary_verification'],
  })
  const { shareable_url = '' } = await call('/identity_verification/create', {
    template_id,
    client_user_id: `person-${template_id}`,
    is_shareable: true,
    gave_consent: true,
  })
  const opened = await fetch(shareable_url, { redirect: 'manual' })
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = new URL(opened.headers.get('location') ?? '', service.url)
  const form = new URLSearchParams({ turn: '0', kind: 'passport', country: 'US' })
  const own = { cookie, 'sec-fetch-site': 'same-origin' }
  await fetch(page, { method: 'POST', body: form, headers: own, redirect: 'manual' })
  return { url: page.href.replace('/document', '/front'), cookie, turn: '1' }
}

/** Sends a file in parts that are made as they are sent, and returns the page that follows. */
async function upload(bytes: Uint8Array, times = 1): Promise<string> {
  const { url, cookie, turn } = await toFront()
  const head = (name: string) => `--b\r\ncontent-disposition: form-data; ${name}\r\n\r\n`
  const start = Buffer.from(
    `${head('name="turn"')}${turn}\r\n${head('name="file"; filename="a.png"')}`,
  )
  const end = Buffer.from('\r\n--b--\r\n')
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(start)
      for (let part = 0; part < times; part += 1) controller.enqueue(bytes)
      controller.enqueue(end)
      controller.close()
    },
  })
  const headers = {
    cookie,
    'sec-fetch-site': 'same-origin',
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': String(start.length + bytes.length * times + end.length),
  }
  const init = { method: 'POST', headers, body, redirect: 'manual', duplex: 'half' } as RequestInit
  const answer = await fetch(url, init)
  const location = answer.headers.get('location') ?? ''
  const shown = await fetch(new URL(location, service.url), { headers: { cookie } })
  return shown.text()
}

/** Zeros that become a thousand times as many. */
const bomb = Buffer.concat([
  pngSignature,
  pngHeader(6000, 6000),
  chunk('IDAT', deflateSync(Buffer.alloc(64 * mb))),
  chunk('IDAT', deflateSync(Buffer.alloc(64 * mb))),
  chunk('IEND'),
])
const small = Buffer.concat(Array.from({ length: 20_000 }, () => chunk('teXt', Buffer.from('x'))))
const marker = Buffer.from([0xff, 0xfe, 0, 3, 0])

const files: [name: string, bytes: Uint8Array, times: number, text: RegExp][] = [
  ['100 megapixels', pngOf(10_000, 10_000), 1, /too many pixels/],
  ['a bomb of 128 MB in a file of 128 KB', bomb, 1, /is damaged/],
  [
    'text of 128 MB in a file of 128 KB',
    Buffer.concat([
      pngSignature,
      pngHeader(300, 300),
      chunk('zTXt', deflateSync(Buffer.alloc(64 * mb))),
      chunk('IEND'),
    ]),
    1,
    /is damaged/,
  ],
  ['20,000 chunks', Buffer.concat([pngSignature, pngHeader(300, 300), small]), 1, /is damaged/],
  [
    'a million segments',
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(7 * mb, marker)]),
    1,
    /is damaged/,
  ],
  ['a picture that is cut', jpegOf(3000, 2000).subarray(0, -40), 1, /is damaged/],
  ['8 MB that are no picture', Buffer.alloc(8 * mb), 1, /neither a JPEG nor a PNG/],
  ['30 MB', Buffer.alloc(mb, 'x'), 30, /larger than 8 MB/],
  ['60 MB', Buffer.alloc(mb, 'x'), 60, /larger than 8 MB/],
  ['300 MB', Buffer.alloc(mb, 'x'), 300, /larger than 8 MB/],
]

test.skipIf(!canMeasure).each(files)(
  'a file of %s takes less than 50 MB of memory, and the person is told',
  async (_name, bytes, times, text) => {
    // What the first upload loads and keeps is no cost of this file.
    await upload(jpegOf())
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const before = memory('VmRSS')
    expect(await upload(bytes, times)).toMatch(text)
    expect(memory('VmHWM') - before).toBeLessThan(mostMb)
  },
)
