import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import { type Connector, RejectedAnswer, type Step } from '../../src/server/sources/connector.ts'
import { createVisitor, linkRequest } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// A connector whose answers a test gives, in place of a partner outside.
const authorize = vi.fn<Connector['authorize']>()
const connector: Connector = {
  id: 'simplefin',
  first: () => ({
    kind: 'form',
    schema: {
      type: 'object',
      required: ['setup_token'],
      properties: { setup_token: { type: 'string', format: 'password', maxLength: 2000 } },
    },
  }),
  authorize,
  link: () => Promise.reject(new Error('nothing is linked here')),
}
const found: Step = {
  kind: 'done',
  secret: 'https://user:secret@bridge.example.com',
  accounts: [
    { id: '0', name: 'Everyday', mask: '1234', currency: 'USD', kind: null, lacksBalance: false },
  ],
}

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  const settings = { environment: 'production', reportDelayMs: 0 } as const
  service = await startService({ settings, connectors: { simplefin: connector } })
  await listBuiltInInstitutions(service.service)
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await newTenant(service)
})
afterEach(() => void authorize.mockReset())

async function toForm() {
  const request = { ...linkRequest, institution_id: 'ins_100001' }
  const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  const visitor = createVisitor(service)
  await visitor.open(new URL(hosted_link_url).pathname)
  return { link_token, visitor, page: await visitor.send() }
}

test('a form asks what the connector asks, and then of what kind the account is', async () => {
  authorize.mockResolvedValue(found)
  const { visitor, page } = await toForm()
  expect(page.html).toMatch(/<input id="setup_token" name="setup_token" type="password"/)
  const empty = await visitor.send({ setup_token: ' ' })
  expect(empty.html).toContain('Paste the setup token')
  const details = await visitor.send({ setup_token: 'abc' })
  expect(details.html).toContain('Everyday, ending in 1234')
  expect((await visitor.send({ 'kind-0': 'savings' })).heading).toBe('Choose the accounts to share')
  const row = await service.service.database.single.first<{ connection: string }>(
    'select connection from link_sessions where client_id = $1',
    [tenant.clientId],
  )
  expect(row?.connection).not.toContain('bridge.example.com')
})

test('a form that is sent twice asks the partner once', async () => {
  const answer = Promise.withResolvers<Step>()
  authorize.mockReturnValue(answer.promise)
  const { visitor, page } = await toForm()
  const first = visitor.send({ setup_token: 'abc' }, { page })
  await expect.poll(() => authorize.mock.calls.length).toBe(1)
  const second = await createAnother(visitor).send({ setup_token: 'abc' }, { page })
  expect([second.status, second.heading]).toEqual([200, 'This page is out of date'])
  const waiting = await createAnother(visitor).open(page.path)
  expect(waiting.heading).toBe('The service is asking your institution')
  answer.resolve(found)
  expect((await first).heading).toBe('About your account')
  expect(authorize).toHaveBeenCalledTimes(1)
})

/** Another tab of the same browser. */
function createAnother({ cookies }: ReturnType<typeof createVisitor>) {
  const other = createVisitor(service)
  for (const [name, value] of cookies) other.cookies.set(name, value)
  return other
}

test('an answer that comes after the person has left is dropped', async () => {
  const answer = Promise.withResolvers<Step>()
  authorize.mockReturnValue(answer.promise)
  const { link_token, visitor, page } = await toForm()
  const first = visitor.send({ setup_token: 'abc' }, { page })
  await expect.poll(() => authorize.mock.calls.length).toBe(1)
  const other = createAnother(visitor)
  await other.open(page.path.replace('connect', 'leave'))
  expect((await other.send()).heading).toBe('You have left')
  answer.resolve(found)
  expect((await first).heading).toBe('You have left')
  const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
  expect(link_sessions).toMatchObject([{ results: null }])
})

test('a partner that rejects or fails leaves the question open', async () => {
  authorize.mockRejectedValueOnce(
    new RejectedAnswer('setupTokenUsed', { field: 'setup_token', code: 'INVALID_CREDENTIALS' }),
  )
  authorize.mockRejectedValueOnce(new Error('a bug'))
  authorize.mockResolvedValueOnce(found)
  const { link_token, visitor, page } = await toForm()
  const rejected = await visitor.send({ setup_token: 'secret-token' })
  expect([rejected.status, rejected.html.includes('used before')]).toEqual([200, true])
  expect(rejected.html).not.toContain('secret-token')
  const quiet = vi.spyOn(console, 'error').mockReturnValue()
  expect((await visitor.send({ setup_token: 'abc' })).status).toBe(500)
  quiet.mockRestore()
  await visitor.open(page.path)
  expect((await visitor.send({ setup_token: 'abc' })).heading).toBe('About your account')
  const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
  expect(link_sessions[0]?.events.map(({ event_name }) => event_name)).toContain('ERROR')
})
