import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let running: TestService

beforeAll(async () => {
  running = await startService()
})

afterAll(() => running.close())

const count = async (table: string): Promise<number> => {
  const sql = `select count(*) as rows from ${table}`
  return (await running.service.database.single.first<{ rows: number }>(sql))?.rows ?? 0
}

describe('work that has the service for itself', () => {
  test('comes after the calls that are under way', async () => {
    const { api, control } = await running.tenant()
    await control('sandboxErrorInject', { operation: '/wallet/create', delay_ms: 100 })
    const calling = api.walletCreate({ iso_currency_code: 'EUR' })
    // The fault is taken when the call is let in, and only then it is late.
    while ((await count('injected_errors')) > 0) await turn()
    const wallets = await running.quiesce(() => count('wallets'), 'cut')
    expect(wallets).toBe(1)
    expect((await calling).response.status).toBe(200)
  })

  test('comes one after the other, and a failure stops nothing', async () => {
    const log: string[] = []
    const failing = running.quiesce(async () => {
      log.push('first begins')
      await turn()
      log.push('first ends')
      throw new Error('no')
    }, 'cut')
    const second = running.quiesce(async () => log.push('second'), 'finish')
    await expect(failing).rejects.toThrow('no')
    await second
    expect(log).toEqual(['first begins', 'first ends', 'second'])
    const { api } = await running.tenant()
    expect((await api.walletList({})).response.status).toBe(200)
  })
})
