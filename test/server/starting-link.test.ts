import { expect, test } from 'vitest'
import { start } from '../../src/server/boot/start.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { createStartingLink } from '../../src/server/dashboard/session/starting-link.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { startService } from '../support/service.ts'

/** The link of a service that has started with some options. */
async function linkOf(environment: Record<string, string>): Promise<string | undefined> {
  const config = readConfig(['--memory', '--port', '0'], { LOG_LEVEL: 'silent', ...environment })
  if (config === 'help') throw new Error('help was not asked for')
  const started = await start(config)
  await started.close()
  return started.signInLink
}

test('a sandbox that only this machine reaches has no link', async () => {
  expect(await linkOf({})).toBeUndefined()
}, 60_000)

test('a sandbox that other machines reach prints a link', async () => {
  const link = await linkOf({ PUBLIC_URL: 'https://sandbox.example.com' })
  expect(link).toMatch(/^https:\/\/sandbox\.example\.com\/dashboard\/sign-in#key=[\w-]{43}$/)
}, 60_000)

test('the link signs its operator in, once', async () => {
  const service = await startService()
  try {
    const link = (await createStartingLink(service.service)) ?? ''
    const key = new URL(link).hash.replace('#key=', '')
    const from = { remoteAddress: '192.0.2.7' }
    const { session } = await openDashboard(service, from).ask('dashboardSessionBegin', { key })
    expect(session).toMatchObject({ user_id: 'local', is_operator: true, role: 'admin' })
    const again = await openDashboard(service, from).send('dashboardSessionBegin', { key })
    expect(again.status).toBe(401)
  } finally {
    await service.close()
  }
})
