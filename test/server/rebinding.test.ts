import dns, { type LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer, type LookupFunction } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isPublicAddress } from '../../src/server/kernel/allowed-target.ts'
import { checkedLookup } from '../../src/server/kernel/checked-lookup.ts'
import { institutionId, listServer } from '../support/connected.ts'
import { createVisitor, linkRequest } from '../support/link-visitor.ts'
import { startService, type TestService } from '../support/service.ts'

// The name of a source has a public address when it is looked up first, and one of this machine
// when it is called. The service is in production, and the resolver is the test's.

const name = 'rebound.example.com'
const publicAddress: LookupAddress = { address: '11.0.0.1', family: 4 }

/** What the resolver answers to each lookup of the name; the last one again and again. */
let answers: LookupAddress[][]
let asked: number
let connections: number
let service: TestService
let close: () => void
let port: number

beforeEach(async () => {
  asked = 0
  connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  close = () => server.close()
  const usual = dns.lookup
  const resolve = (host: string, ...rest: unknown[]) => {
    const callback = rest.at(-1) as (error: Error | null, found: LookupAddress[]) => void
    if (host !== name) return (usual as (...all: unknown[]) => void)(host, ...rest)
    const found = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    setImmediate(() => callback(null, found))
  }
  vi.spyOn(dns, 'lookup').mockImplementation(resolve as typeof dns.lookup)
  syncBuiltinESMExports()
  service = await startProduction()
})
afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await service.close()
  close()
})

const startProduction = (more: { callTargets?: 'loopback' } = {}) =>
  startService({
    settings: { environment: 'production', reportDelayMs: 0, ...more },
    checkAnswer: undefined,
  })

async function sendToken() {
  const host = `${name}:${port}`
  await listServer(service, { host })
  const tenant = await service.tenant()
  const { hosted_link_url } = await tenant.api
    .linkTokenCreate({ ...linkRequest, institution_id: institutionId })
    .orThrow()
  const visitor = createVisitor(service)
  await visitor.open(new URL(hosted_link_url).pathname)
  await visitor.send()
  const token = Buffer.from(`https://${host}/simplefin/claim/1`).toString('base64')
  return visitor.send({ setup_token: token })
}

const own: LookupAddress = { address: '127.0.0.1', family: 4 }

test.each([
  ['of this machine', [own]],
  ['of this machine in IPv6', [{ address: '::1', family: 6 }]],
  ['of this machine as IPv4 in IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
  ['of metadata', [{ address: '169.254.169.254', family: 4 }]],
])('a name with a public address first and one %s later is not called', async (_name, later) => {
  answers = [[publicAddress], later]
  // The name is checked before the service calls it.
  const checked = await new Promise<LookupAddress[]>((resolve) => {
    dns.lookup(name, { all: true }, (_error, found) => resolve(found))
  })
  expect(checked.map(({ address }) => isPublicAddress(address))).toEqual([true])
  const shown = await sendToken()
  expect(asked).toBeGreaterThan(1)
  expect(connections).toBe(0)
  expect(shown.html).toContain('does not answer at the moment')
})

test('an address of this machine beside a public one is left out', async () => {
  answers = [[own, publicAddress]]
  const found = await new Promise((resolve) => {
    const lookup = checkedLookup(dns.lookup as LookupFunction, 'public')
    lookup(name, { all: true }, (_error, all) => resolve(all))
  })
  expect(found).toEqual([publicAddress])
})

test('a service that may call this machine reaches the same name', async () => {
  answers = [[own]]
  await service.close()
  service = await startProduction({ callTargets: 'loopback' })
  await sendToken()
  expect(connections).toBe(1)
})
