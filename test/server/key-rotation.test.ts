import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createService } from '../../src/server/boot/create-service.ts'
import type { StartedService } from '../../src/server/boot/start.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { ConfigError } from '../../src/server/config/read-option.ts'
import { insertSetting } from '../../src/server/db/settings-store.ts'
import { prepareSeedData } from '../../src/server/fixtures/prepare-seed-data.ts'
import { createKeys, toKeyId } from '../../src/server/kernel/keys.ts'
import { createPlace, engine, openPlace, type Place } from '../support/engine.ts'
import {
  call,
  copyPlace,
  fillColumns,
  first,
  knownColumns,
  listEncrypted,
  optionsOf,
  second,
  startAt,
  third,
} from '../support/rotation.ts'
import { startProcess } from '../support/service-process.ts'

const accessToken = 'access-sandbox-00000000-0000-4000-8000-000000000001'

let folder: string
let fixture: string
let filled: Place
let seen: unknown[]
let public_token: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rotation-'))
  fixture = join(folder, 'world.yaml')
  writeFileSync(
    fixture,
    'clients: [{ client_id: lender, secret: 5f0c9b1e7a3d48264c8e90f2b7d61a35 }]\n',
  )
  filled = await createPlace()
  const service = await startAt(optionsOf(filled, first))
  ;({ public_token } = await fillColumns(service))
  seen = await look(service)
  await service.close()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await filled.remove()
})

let place: Place
let open: StartedService[] = []
afterEach(async () => {
  for (const service of open) await service.close()
  open = []
  await place.remove()
})

/** Starts with a key and those before it; ends with the test. */
async function begin(key: string, previous?: string): Promise<StartedService> {
  const service = await startAt(optionsOf(place, key, previous))
  open.push(service)
  return service
}

/** A start and its end. */
async function run(key: string, previous?: string): Promise<void> {
  await (await startAt(optionsOf(place, key, previous))).close()
}

/** The same with next to no data, which takes less time. */
async function runSmall(key: string, previous?: string): Promise<void> {
  const small = { SERVICE_ENV: 'production', FIXTURE: fixture }
  await (await startAt({ ...optionsOf(place, key, previous), ...small })).close()
}

/** The same, which ends when everything is encrypted again. */
async function runToTheEnd(key: string): Promise<void> {
  const service = await startAt(optionsOf(place, key))
  await service.renewed
  await service.close()
}

/** What a caller reads of that was encrypted, and what a webhook is signed with. */
async function look({ address }: StartedService): Promise<unknown[]> {
  const access_token = accessToken
  return [
    await call(address, '/liabilities/get', { access_token }),
    await call(address, '/wallet/list', {}),
    await call(address, '/sandbox/item/fire_webhook', {
      access_token,
      webhook_code: 'DEFAULT_UPDATE',
    }),
  ]
}

/** The ids of the keys that encrypt anything. */
const idsInUse = async (): Promise<Set<string>> =>
  new Set((await listEncrypted(place)).map(({ value }) => value.slice(0, 8)))

describe('a new key', () => {
  beforeEach(async () => {
    place = await copyPlace(filled)
  })

  test('takes the place of the old one, and everything is there', async () => {
    const after = await begin(second, first)
    expect(await look(after)).toEqual(seen)
    const exchange = '/item/public_token/exchange'
    const { access_token } = await call(after.address, exchange, { public_token })
    await call(after.address, '/accounts/get', { access_token })
    await call(after.address, '/sandbox/reset', {})
  })

  test('is the only one that opens the data, once a start names no other', async () => {
    await run(second, first)
    await run(first)
    await run(second)
    const wrong = 'ENCRYPTION_KEY must be the key that the data was written with'
    await expect(run(first)).rejects.toThrow(ConfigError)
    await expect(run(first)).rejects.toThrow(wrong)
    await run(third, `${first},${second}`)
    await run(third)
    await expect(run(second)).rejects.toThrow(wrong)
  })

  test('encrypts every column again, once a start names no other', async () => {
    const [old] = await idsInUse()
    expect(new Set((await listEncrypted(place)).map(({ at }) => at))).toEqual(new Set(knownColumns))
    await run(second, first)
    expect(await idsInUse()).toEqual(new Set([old]))
    await runToTheEnd(second)
    const now = await idsInUse()
    expect(now.size).toBe(1)
    expect(now).not.toContain(old)
    expect(await look(await begin(second))).toEqual(seen)
  })

  test('goes on where an end or a kill has interrupted it', async () => {
    const [old] = await idsInUse()
    await run(second, first)
    const { kill } = await startProcess(optionsOf(place, second))
    await kill()
    await run(second)
    expect(await idsInUse()).toContain(old)
    await runToTheEnd(second)
    expect(await idsInUse()).not.toContain(old)
  })

  test.runIf(engine === 'postgres')('works beside the old one', async () => {
    const old = await begin(first)
    const both = await begin(second, first)
    await call(old.address, '/item/public_token/exchange', { public_token })
    const made = await call(both.address, '/wallet/create', { iso_currency_code: 'GBP' })
    const { wallet_id } = made
    expect(await call(old.address, '/wallet/get', { wallet_id })).toEqual(made)
    await old.close()
    const alone = await begin(second)
    await alone.renewed
    const later = await call(alone.address, '/wallet/create', { iso_currency_code: 'EUR' })
    const again = { wallet_id: later['wallet_id'] }
    expect(await call(both.address, '/wallet/get', again)).toEqual(later)
    expect(await look(both)).toEqual(await look(alone))
    open = [both, alone]
  })

  test.runIf(engine === 'postgres')(
    'leaves nothing of the old key after the last restart',
    async () => {
      const [old] = await idsInUse()
      const last = await begin(second, first)
      await runToTheEnd(second)
      expect(await idsInUse()).not.toContain(old)
      await call(last.address, '/wallet/create', { iso_currency_code: 'EUR' })
      expect(await idsInUse()).toContain(old)
      for (const service of open.splice(0)) await service.close()
      await runToTheEnd(second)
      expect(await idsInUse()).not.toContain(old)
    },
  )

  test('can be taken back', async () => {
    await run(second, first)
    await run(second)
    await run(first, second)
    expect(await look(await begin(first))).toEqual(seen)
  })
})

describe('data from before there were keys of its own', () => {
  beforeEach(async () => {
    place = await createPlace()
  })

  /** As the service wrote it whose hashes and columns followed from ENCRYPTION_KEY itself. */
  async function writeOldData(): Promise<void> {
    const keys = createKeys(Buffer.from(first, 'hex'))
    const running = await createService({
      database: await openPlace(place.address),
      keys,
      settings: { environment: 'sandbox', reportDelayMs: 0 },
      publicUrl: () => '',
      rateLimits: 'off',
      log: { info: () => {}, error: (error) => console.error(error) },
    })
    const { service } = running
    const mark = keys.hash('the key of this data')
    await service.database.transaction((db) => insertSetting(db, 'key_mark', mark))
    const usual = { fixture: undefined, seed: undefined, fixtureDate: undefined }
    await prepareSeedData(service, { ...usual, environment: 'sandbox' })
    await running.close()
  }

  test('is opened by the same key, and by one that follows it', async () => {
    await writeOldData()
    await expect(run(second)).rejects.toThrow('must be the key that the data was written with')
    const old = await look(await begin(first))
    for (const service of open.splice(0)) await service.close()
    expect(await look(await begin(second, first))).toEqual(old)
    for (const service of open.splice(0)) await service.close()
    await runToTheEnd(second)
    expect(await idsInUse()).not.toContain(toKeyId(Buffer.from(first, 'hex')))
    expect(await look(await begin(second))).toEqual(old)
  })
})

describe('a wrong key', () => {
  beforeEach(async () => {
    place = await createPlace()
  })

  test('is rejected in one line, and nothing is changed', async () => {
    await runSmall(first)
    await expect(runSmall(second, third)).rejects.toThrow(
      'ENCRYPTION_KEY or one of ENCRYPTION_KEY_PREVIOUS must be the key that the data was written with',
    )
    await runSmall(first)
  })

  test.each([
    ['no key', 'each key in ENCRYPTION_KEY_PREVIOUS must be 32 bytes in hexadecimal or base64'],
    [`${third},`, 'each key in ENCRYPTION_KEY_PREVIOUS must be 32 bytes in hexadecimal or base64'],
  ])('is told apart among the previous ones: %s', async (previous, message) => {
    await expect(runSmall(first, previous)).rejects.toThrow(message)
  })

  test('cannot be the previous one alone', () => {
    const { ENCRYPTION_KEY: _, ...options } = optionsOf(place, first, second)
    expect(() => readConfig([], options)).toThrow(/ENCRYPTION_KEY is required with/)
  })
})
