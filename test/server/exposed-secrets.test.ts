import { expect, test } from 'vitest'
import { findExposedSecrets } from '../../src/server/boot/exposed-secrets.ts'
import { startService, startWorld } from '../support/service.ts'
import { launch, printedUntil } from '../support/service-process.ts'

const line = (host: string) =>
  `the published secrets of sandbox-client and sandbox-partner are accepted on ${host}: bind 127.0.0.1, or use production`

test('a sandbox that others reach warns of the published secrets', async () => {
  const { service, close } = await startWorld()
  const risksAt = (host: string, environment: 'sandbox' | 'production' = 'sandbox') =>
    findExposedSecrets(service, { environment, host })
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'machine', 'example.com']) {
    expect(await risksAt(host)).toEqual([line(host)])
    expect(await risksAt(host, 'production')).toEqual([])
  }
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost', 'LOCALHOST']) {
    expect(await risksAt(host)).toEqual([])
  }
  await close()
})

test('a sandbox with secrets of its own does not', async () => {
  const { service, tenant, close } = await startService()
  await tenant()
  expect(await findExposedSecrets(service, { environment: 'sandbox', host: '::' })).toEqual([])
  await close()
})

test('it says so in one line of its greeting', async () => {
  const { child } = launch({ environment: { MEMORY: '1', HOST: '0.0.0.0', LOG_LEVEL: 'silent' } })
  const greeting = await printedUntil(child, /^ {2}data .*\n(.+\n)*\n/m)
  child.kill()
  expect(greeting?.match(/.*published secrets.*/g)).toEqual([
    `  at risk                  ${line('0.0.0.0')}`,
  ])
})
