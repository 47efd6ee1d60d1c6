import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { sendAtRate } from '../../scripts/bench/open-loop.ts'

const bodies: string[] = []
let close = () => {}

/** A server that answers nobody until so many have come. */
async function startHolding(count: number, status = 200): Promise<string> {
  const held: ServerResponse[] = []
  let isHolding = true
  bodies.length = 0
  const server = createServer(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk))
    held.push(response)
    isHolding &&= held.length < count
    if (isHolding) return
    for (const one of held.splice(0)) one.writeHead(status, { 'Content-Length': 2 }).end('{}')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

afterEach(() => close())

const requests = [{ path: '/', headers: {}, body: '{"id":"[<id>]"}' }]

test('a load at a rate goes on while nobody answers', async () => {
  const url = await startHolding(60)
  const { sent, failed } = await sendAtRate({ url, rate: 500, seconds: 0.2, requests })
  expect([sent, failed]).toEqual([100, 0])
  expect(new Set(bodies).size).toBe(100)
})

test('a load at a rate tells what was not answered with 200', async () => {
  const url = await startHolding(1, 503)
  const { failed } = await sendAtRate({ url, rate: 500, seconds: 0.02, requests })
  expect(failed).toBe(10)
})
