import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// Bodies that are announced or begun, and do not come: they take room from others, but never more
// than there is.

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
async function begin(count: number, header: string, start: string): Promise<() => string[]> {
  const texts: string[] = Array.from({ length: count }, () => '')
  for (let made = 0; made < count; made += 1) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      texts[made] += String(chunk)
    })
    const head = 'POST /wallet/list HTTP/1.1\r\nHost: 1\r\nContent-Type: application/json'
    socket.write(`${head}\r\n${header}\r\n\r\n${start}`)
  }
  await sleep(500)
  return () => texts
}

const refusedOf = (texts: readonly string[]) =>
  texts.filter((text) => /^HTTP\/1\.1 503 .*"error_code":"PLANNED_MAINTENANCE"/s.test(text)).length

const list = (size: number) => tenant.post('/wallet/list', `{${' '.repeat(size)}}`)

test('bodies of 60 KiB that do not come share the room, and short ones need none', async () => {
  const held = await begin(1200, 'Content-Length: 61440', '{')
  // 64 MiB are room for 1092 of them.
  await expect.poll(() => refusedOf(held()), { timeout: 10_000 }).toBe(1200 - 1092)
  expect((await list(50_000)).status).toBe(503)
  expect((await list(1000)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await list(50_000)).status).toBe(200)
})

test('a body in chunks takes the room of what has come', async () => {
  const held = await begin(200, 'Transfer-Encoding: chunked', '1\r\n{\r\n')
  expect(refusedOf(held())).toBe(0)
  expect((await list(500_000)).status).toBe(200)
})

test('a body in chunks for which there is no room any more is refused', async () => {
  const size = 1_000_000
  const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`
  const held = await begin(80, 'Transfer-Encoding: chunked', chunk)
  // 67 of them fill 64 MiB, but for what is left in the others.
  await expect.poll(() => refusedOf(held()), { timeout: 10_000 }).toBeGreaterThanOrEqual(13)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await list(500_000)).status).toBe(200)
})
