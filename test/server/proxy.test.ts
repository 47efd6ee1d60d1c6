import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations, paths } from '#contract/operations.ts'
import { root } from '../../scripts/contract/contract.ts'
import { type Body, startWorld, type Tenant, type TestService } from '../support/service.ts'
import { tour } from '../support/tour.ts'

// Prism stands between and holds every request and answer against the bundle, as a proxy.

let service: TestService & { client: Tenant }
let proxy: ChildProcess
let url: string

beforeAll(async () => {
  service = await startWorld()
  const target = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const port = await freePort()
  const prism = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js')
  const bundle = join(root, 'generated/openapi.json')
  const args = [prism, 'proxy', '--errors', '--port', String(port), bundle, target]
  proxy = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  url = `http://127.0.0.1:${port}`
  await listening(proxy)
}, 60_000)

afterAll(async () => {
  proxy.kill()
  await once(proxy, 'exit')
  await service.close()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

function listening(child: ChildProcess): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    // It goes on to be read: a program whose output is not read ends.
    child.stdout?.on('data', (chunk) => {
      output += chunk
      if (output.includes('is listening')) resolve()
    })
    child.once('exit', () => reject(new Error(`the proxy did not start: ${output}`)))
  })
}

test('valid traffic through a proxy that knows the contract has no violation', async () => {
  const called = new Set<string>()
  const violations: string[] = []
  await tour(service.client, async ({ operationId, body }) => {
    called.add(operationId)
    const response = await fetch(url + paths[operationId], {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'SERVICE-CLIENT-ID': service.client.clientId,
        'SERVICE-SECRET': service.client.secret,
      },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Body
    if (response.status !== 200) violations.push(`${operationId}: ${JSON.stringify(answer)}`)
    return answer
  })
  expect(violations).toEqual([])
  expect([...called].sort()).toEqual(Object.keys(operations).sort())
})
