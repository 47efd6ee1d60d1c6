import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentVersion, type Version, versions } from '../../generated/versions.ts'
import { conformTo, failuresIn } from '../support/conform.ts'
import { engine } from '../support/engine.ts'
import { freePort } from '../support/free-port.ts'
import { startWorld, type TestService } from '../support/service.ts'

// The service itself keeps the whole contract, in every version. Older versions change the answers of
// the newest one, whatever store they come from: they run on one store only.

const tried = engine === 'sqlite' ? (Object.keys(versions) as Version[]) : [currentVersion]

let service: TestService
let url: string
beforeAll(async () => {
  service = await startWorld({ settings: { environment: 'sandbox', reportDelayMs: 30_000 } })
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.close())

test.each(tried)('the service keeps to the version %s', { timeout: 600_000 }, async (version) => {
  const receiver = new URL(`http://127.0.0.1:${await freePort()}/webhooks`)
  const report = await conformTo(url, { version, receiver })
  expect(failuresIn(report)).toEqual([])
  expect(report.notJudged).toBe(0)
  expect(report.passed).toBeGreaterThan(1000)
})
