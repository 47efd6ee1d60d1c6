import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// Bodies that are declared or begun, and do not come: they take room by what has come of them, and
// none from those who send theirs.

let service: TestService
let tenant: Tenant
let port: number
const sockets: Socket[] = []
beforeEach(async () => {
  service = await startService()
  tenant = await service.tenant()
  port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await service.close()
})

/** Begins requests that stay without their end; returns what each was answered so far. */
async function begin(
  count: number,
  header: string,
  start: string,
  localAddress = '127.0.0.1',
): Promise<() => string[]> {
  const texts: string[] = Array.from({ length: count }, () => '')
  for (let made = 0; made < count; made += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      texts[made] += String(chunk)
    })
    const head = 'POST /protect/event/send HTTP/1.1\r\nHost: 1\r\nContent-Type: application/json'
    socket.write(`${head}\r\n${header}\r\n\r\n${start}`)
  }
  await sleep(500)
  return () => texts
}

const rejectedOf = (texts: readonly string[]) =>
  texts.filter((text) => /^HTTP\/1\.1 503 .*"error_code":"PLANNED_MAINTENANCE"/s.test(text)).length

const event = '{"event":{"timestamp":"2026-03-01T00:00:00Z","app_visit":{}}'
/** A call whose body is padded to a size: of an operation that takes 1 MiB. */
const list = (size: number) => tenant.post('/protect/event/send', `${event}${' '.repeat(size)}}`)

test('bodies that are declared and do not come take no room', async () => {
  const held = await begin(1200, 'Content-Length: 1048576', '{')
  expect((await list(500_000)).status).toBe(200)
  expect((await list(1000)).status).toBe(200)
  expect(rejectedOf(held())).toBe(0)
})

test('a body in chunks takes the room of what has come', async () => {
  const held = await begin(200, 'Transfer-Encoding: chunked', '1\r\n{\r\n')
  expect(rejectedOf(held())).toBe(0)
  expect((await list(500_000)).status).toBe(200)
})

const size = 1_000_000
const filling = {
  'in chunks': ['Transfer-Encoding: chunked', `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`],
  'of a declared length': [`Content-Length: ${size + 1}`, ' '.repeat(size)],
} as const

test.each(Object.entries(filling))(
  'where bodies %s fill their room, the one that came first gives way',
  async (_name, [header, start]) => {
    const held = await begin(80, header, start)
    // 33 of them fill the 32 MiB of an address.
    await expect.poll(() => rejectedOf(held()), { timeout: 30_000 }).toBe(80 - 33)
    const rejected = held().map((text) => text !== '')
    expect((await list(500_000)).status).toBe(200)
    expect(held().filter((text, place) => text !== '' && !rejected[place])).toHaveLength(0)
    await begin(1, header, start)
    await expect.poll(() => rejectedOf(held()), { timeout: 30_000 }).toBe(80 - 32)
  },
)

test('bodies from one address leave room for others', async () => {
  const [header, start] = filling['of a declared length']
  const others = await begin(20, header, start, '127.0.0.2')
  await begin(80, header, start)
  expect(rejectedOf(others())).toBe(0)
})
