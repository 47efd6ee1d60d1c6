import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { postWebhook } from '../../src/server/worker/webhooks/post.ts'

// Which connections webhooks are sent on.

let server: Server
let url: string
const connections = new Set<Socket>()
/** Of each request, the number of requests that its connection had before. */
const earlier: number[] = []
const counts = new WeakMap<Socket, number>()
/** What becomes of a request in place of an answer. */
let instead: ((socket: Socket, count: number) => boolean) | undefined

beforeEach(async () => {
  instead = undefined
  earlier.length = 0
  connections.clear()
  server = createServer((request, response) => {
    const count = counts.get(request.socket) ?? 0
    counts.set(request.socket, count + 1)
    earlier.push(count)
    request.resume().on('end', () => {
      if (!instead?.(request.socket, count)) response.end('ok')
    })
  })
  server.on('connection', (socket) => connections.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

const post = async (targets: 'sandbox' | 'any' = 'sandbox') => {
  const body = '{}'
  const { status_code, error } = await postWebhook({
    url,
    headers: {},
    body,
    timeoutMs: 5000,
    targets,
  })
  return status_code ?? error
}

test('webhooks in turn share a connection', async () => {
  expect([await post(), await post(), await post()]).toEqual([200, 200, 200])
  expect(earlier).toEqual([0, 1, 2])
})

test('one is not shared where other addresses are allowed', async () => {
  expect([await post(), await post('any')]).toEqual([200, 200])
  expect(earlier).toEqual([0, 0])
})

test('a receiver that has closed an idle connection gets the webhook on a new one', async () => {
  await post()
  for (const socket of connections) socket.destroy()
  expect(await post()).toBe(200)
  expect(earlier).toEqual([0, 0])
})

test('nor does one count that it closes as the next webhook comes', async () => {
  instead = (socket, count) => count > 0 && Boolean(socket.destroy())
  expect([await post(), await post()]).toEqual([200, 200])
  expect(earlier).toEqual([0, 1, 0])
})

test('a new connection that is closed without an answer counts', async () => {
  instead = (socket) => Boolean(socket.destroy())
  expect(await post()).toBe('connection closed without an answer')
  expect(earlier).toEqual([0])
})
