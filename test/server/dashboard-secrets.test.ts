import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signIn } from '../support/dashboard-browser.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let now = Date.parse('2026-03-16T14:05:09Z')
let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService({ clock: () => now })
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
})

const open = (role: 'reviewer' | 'developer' | 'admin') =>
  signIn(service, { client_id: tenant.clientId, role })

describe('dashboardClientCreate', () => {
  test('creates a client that can call, and shows its secret once', async () => {
    const admin = await open('admin')
    const created = await admin.ask('dashboardClientCreate', { client_name: 'Larkspur Branch' })
    const made = service.tenantOf(created.client_id, created.secret)
    expect((await made.post('/wallet/list', {})).status).toBe(200)
    const { entries } = await admin.ask('dashboardAuditList', {})
    expect(entries[0]).toMatchObject({ action: 'client.create', subject: created.client_id })
    expect(JSON.stringify(entries)).not.toContain(created.secret)
  })

  test('rejects a blank name', async () => {
    const admin = await open('admin')
    const { body } = await admin.send('dashboardClientCreate', { client_name: '  ' })
    expect(body).toMatchObject({ error_code: 'INVALID_FIELD' })
  })
})

describe('dashboardSecretRotate', () => {
  test('replaces the secret, and accepts the one before it for the time that was asked', async () => {
    const admin = await open('admin')
    const rotated = await admin.ask('dashboardSecretRotate', { grace_seconds: 3600 })
    expect(rotated.previous_secret_until).toBe('2026-03-16T15:05:09Z')
    const renewed = service.tenantOf(tenant.clientId, rotated.secret)
    expect((await renewed.post('/wallet/list', {})).status).toBe(200)
    expect((await tenant.post('/wallet/list', {})).status).toBe(200)
    now += 3_601_000
    expect((await tenant.post('/wallet/list', {})).status).toBe(400)
    expect((await renewed.post('/wallet/list', {})).status).toBe(200)
    const { entries } = await admin.ask('dashboardAuditList', { action: 'client.rotate-secret' })
    expect(entries).toHaveLength(1)
    expect(JSON.stringify(entries)).not.toContain(rotated.secret)
  })

  test('ends the one before it at once where no time is named', async () => {
    const admin = await open('admin')
    await admin.ask('dashboardSecretRotate', {})
    now += 1
    expect((await tenant.post('/wallet/list', {})).status).toBe(400)
  })
})

describe('secrets', () => {
  test.each([
    ['dashboardClientCreate', { client_name: 'Larkspur Branch' }],
    ['dashboardSecretRotate', {}],
  ] as const)('%s is for admins', async (id, body) => {
    for (const role of ['reviewer', 'developer'] as const) {
      expect((await (await open(role)).send(id, body)).status).toBe(403)
    }
    const elsewhere = { ...body, client_id: (await service.tenant()).clientId }
    expect((await (await open('admin')).send(id, elsewhere)).status).toBe(403)
  })

  test('are managed by commands in production', async () => {
    const production = await startService({
      settings: { environment: 'production', reportDelayMs: 0 },
      publicUrl: () => 'https://pay.example.com',
    })
    const place = { ...production, url: 'https://pay.example.com' }
    const { clientId } = await production.tenant()
    const admin = await signIn(place, { client_id: clientId, role: 'admin' })
    const answers = [
      await admin.send('dashboardClientCreate', { client_name: 'Larkspur Branch' }),
      await admin.send('dashboardSecretRotate', {}),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    await production.close()
  })
})
