import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { send } from '../../scripts/bench/send.ts'

const bodies: string[] = []
let close = () => {}

/** A server that answers no request until so many have arrived. */
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
const atRate = { requests, rate: 500, connections: 100 }

test('a load at a rate goes on without responses', async () => {
  const url = await startHolding(60)
  const { statuses, failed } = await send({ urls: [url], ...atRate, seconds: 0.2 })
  expect([statuses, failed]).toEqual([{ 200: 100 }, 0])
  expect(new Set(bodies).size).toBe(100)
})

test('a load at a rate counts the other statuses', async () => {
  const url = await startHolding(1, 503)
  const { statuses, failed } = await send({ urls: [url], ...atRate, seconds: 0.02 })
  expect([statuses, failed]).toEqual([{ 503: 10 }, 0])
})

test('a request at a rate is sent when it is due, and not an interval later', async () => {
  const url = await startHolding(1)
  const interval = 1500
  const { sent, p99 } = await send({ urls: [url], ...atRate, rate: 1000 / interval, seconds: 1.5 })
  expect(sent).toBe(1)
  expect(p99).toBeLessThan(interval)
})

test('without a rate each connection waits for its response', async () => {
  const url = await startHolding(1)
  const { sent, statuses, failed } = await send({
    urls: [url],
    requests,
    seconds: 5,
    connections: 2,
    most: 20,
  })
  expect([sent, statuses, failed]).toEqual([20, { 200: 20 }, 0])
  expect(new Set(bodies).size).toBe(20)
})

test('a request without a response has failed', async () => {
  const server = createServer((request) => request.socket.destroy())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  close = () => server.close()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { sent, failed } = await send({ urls: [url], requests, seconds: 0.1, connections: 3 })
  expect([sent, failed]).toEqual([3, 3])
})

test('a response in chunks is complete at its last one', async () => {
  const server = createServer((_, response) => {
    response.write('{')
    setTimeout(() => response.end('}'), 20)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  close = () => server.close()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const load = { urls: [url], requests, seconds: 1, connections: 1, most: 2 }
  expect(await send(load)).toMatchObject({ statuses: { 200: 2 }, failed: 0 })
})
