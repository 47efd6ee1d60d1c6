import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { start } from '../../src/server/boot/start.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { openSeed } from '../../src/server/items/stored-seed.ts'
import { productionKey } from '../support/production-key.ts'

// What a later start makes of data that is there.

const key = productionKey
/** As random as production wants them. */
const secret = '5f0c9b1e7a3d48264c8e90f2b7d61a35'

let folder: string
let world: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'))
  world = join(folder, 'world.yaml')
  writeFileSync(world, `clients: [{ client_id: lender, secret: ${secret} }]\n`)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const dataOf = (name = 'data'): string => join(folder, name)

const configOf = (environment: Record<string, string>): Config =>
  readConfig([], { PORT: '0', DATA_DIR: dataOf(), ...environment }) as Config

/** A start and its end. */
async function run(environment: Record<string, string> = {}): Promise<void> {
  const service = await start(configOf(environment))
  await service.close()
}

const asProduction = { SERVICE_ENV: 'production', ENCRYPTION_KEY: key }

/** The line that a start ends with; fails if it is no expected one. */
async function errorOf(environment: Record<string, string> = {}): Promise<string> {
  const error = await run(environment).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Error)
  expect(error).toHaveProperty('message', expect.not.stringContaining('\n'))
  return (error as Error).message
}

const databaseOf = () => join(dataOf(), 'service.sqlite')

/** The settings in the data, of which no service has hold. */
function settingsOf(): Record<string, string> {
  const database = new DatabaseSync(databaseOf())
  const rows = database.prepare('select name, value from settings').all()
  database.close()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

function insertSettings(settings: Record<string, string>): void {
  const database = new DatabaseSync(databaseOf())
  const insert = database.prepare('insert or replace into settings (name, value) values (?, ?)')
  for (const [name, value] of Object.entries(settings)) insert.run(name, value)
  database.close()
}

describe('production', () => {
  test('starts with seed data of its own, later with the stored data, and with none', async () => {
    await run({ ...asProduction, FIXTURE: world })
    await run(asProduction)
    await run({ ...asProduction, DATA_DIR: dataOf('new') })
  })

  test('needs its fixture once: later neither the option nor the file', async () => {
    await run({ ...asProduction, FIXTURE: world })
    rmSync(world)
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await run({ ...asProduction, FIXTURE: world })
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      '--fixture (FIXTURE) is for the first start only: the data stays as it is',
    )
    await run(asProduction)
    expect(warn).toHaveBeenCalledOnce()
  })

  test('needs its fixture once also where that names no client', async () => {
    const institution =
      '{ institution_id: ins_1, name: Harbor, products: [auth], country_codes: [US] }'
    writeFileSync(world, `institutions: [${institution}]\n`)
    await run({ ...asProduction, FIXTURE: world })
    await run(asProduction)
  })

  test('keeps nothing of its fixture that could be decrypted', async () => {
    await run({ ...asProduction, FIXTURE: world })
    expect(settingsOf()).not.toHaveProperty('world')
    expect(settingsOf()).not.toHaveProperty('fixture')
  })

  describe('whose fixture has an Item', () => {
    const token = 'access-production-11111111-1111-4111-8111-111111111111'
    const item = `{ access_token: ${token}, institution_id: null }`
    beforeEach(() => {
      writeFileSync(
        world,
        `clients: [{ client_id: lender, secret: ${secret}, items: [${item}] }]\n`,
      )
    })

    test('does not store the token', async () => {
      await run({ ...asProduction, FIXTURE: world })
      expect(readFileSync(databaseOf(), 'latin1')).not.toContain(token)
    })

    test('overwrites the token that an earlier version stored', async () => {
      await run({ ...asProduction, FIXTURE: world })
      const seed = `tidewater/lender/${token}`
      const database = new DatabaseSync(databaseOf())
      database.prepare('update items set seed = ?, evolves = 1').run(seed)
      database.exec("delete from settings where name = 'seeds_sealed'")
      database.close()
      await run(asProduction)
      const after = new DatabaseSync(databaseOf())
      const stored = after.prepare('select seed from items').get()?.['seed']
      after.close()
      expect(stored).toEqual(expect.stringMatching(/./))
      expect(stored).not.toContain('access-production')
      expect(readFileSync(databaseOf(), 'latin1')).not.toContain(token)
    })
  })

  test('removes what an earlier version has stored of its fixture', async () => {
    await run({ ...asProduction, FIXTURE: world })
    // Longer than a page, as most fixtures are.
    const kept = Array.from({ length: 500 }, (_, place) => `kept-${place}-`).join('')
    insertSettings({ world: kept, fixture: 'kept-digest' })
    await run(asProduction)
    expect(settingsOf()).not.toHaveProperty('world')
    expect(settingsOf()).not.toHaveProperty('fixture')
    expect(readFileSync(databaseOf(), 'latin1')).not.toContain('kept-')
  })

  test('does not start with what a sandbox has filled', async () => {
    await run({ ENCRYPTION_KEY: key })
    expect(await errorOf(asProduction)).toBe(
      'production does not start with data whose credentials everybody knows (sandbox-client); choose other data, or none and a --fixture (FIXTURE)',
    )
  })
})

describe('a sandbox', () => {
  test('needs its fixture once: later the file may be gone', async () => {
    await run({ FIXTURE: world })
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await run({ FIXTURE: world })
    expect(warn).not.toHaveBeenCalled()
    rmSync(world)
    await run({ FIXTURE: world })
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      '--fixture (FIXTURE) is for the first start only: the data stays as it is',
    )
  })

  test('does not start for the first time with a fixture that is not there', async () => {
    rmSync(world)
    expect(await errorOf({ FIXTURE: world })).toBe(`${world}: there is no such file`)
  })
})

describe('the clock', () => {
  const hour = 3_600_000
  const day = 24 * hour

  /** Lets the data be used at a moment, by a clock that was ahead of this one or behind. */
  async function usedAt(ms: number, environment = {}): Promise<void> {
    await run({ FIXTURE: world, ...environment })
    insertSettings({ last_used: String(Date.now() + ms) })
  }

  test('must not be a day behind the last use of the data', async () => {
    await usedAt(25 * hour)
    expect(await errorOf()).toMatch(
      /^the clock says [\dTZ:-]{20}, more than a day before the data was last used \([\dTZ:-]{20}\): set it right, or start once with --accept-clock \(ACCEPT_CLOCK\)$/,
    )
    // A start that fails writes nothing.
    await errorOf()
    await run({ ACCEPT_CLOCK: 'true' })
    await run()
  })

  test('may be hours behind, and in a sandbox years ahead', async () => {
    await usedAt(23 * hour)
    await run()
    insertSettings({ last_used: String(Date.now() - 800 * day) })
    await run()
  })

  test('must not be 90 days ahead in production', async () => {
    await usedAt(-89 * day, asProduction)
    await run(asProduction)
    insertSettings({ last_used: String(Date.now() - 91 * day) })
    expect(await errorOf(asProduction)).toMatch(/, more than 90 days after the data was last used/)
    await run({ ...asProduction, ACCEPT_CLOCK: '1' })
    await run(asProduction)
  })

  test('is noted by each start', async () => {
    await run({ FIXTURE: world })
    insertSettings({ last_used: '1' })
    const before = Date.now()
    await run()
    expect(Number(settingsOf()['last_used'])).toBeGreaterThanOrEqual(before)
  })
})

describe('a sandbox', () => {
  test('encrypts the tokens that an earlier version stored, and goes on with the same data', async () => {
    const token = 'access-sandbox-11111111-1111-4111-8111-111111111111'
    const item = `{ access_token: ${token}, institution_id: null, generate: { name: A Holder, days: 30 } }`
    writeFileSync(world, `clients: [{ client_id: lender, secret: s, items: [${item}] }]\n`)
    await run({ ENCRYPTION_KEY: key, FIXTURE: world })
    const plain = `tidewater/lender/${token}`
    const seedsOf = () => {
      const database = new DatabaseSync(databaseOf())
      const rows = database.prepare("select seed from items where client_id = 'lender'").all()
      database.close()
      return rows.map(({ seed }) => String(seed))
    }
    expect(readFileSync(databaseOf(), 'latin1')).not.toContain(token)
    const database = new DatabaseSync(databaseOf())
    database.prepare("update items set seed = ? where client_id = 'lender'").run(plain)
    database.exec("delete from settings where name = 'seeds_sealed'")
    database.close()
    expect(seedsOf()).toEqual([plain])
    await run({ ENCRYPTION_KEY: key })
    const service = await start(configOf({ ENCRYPTION_KEY: key }))
    const { keys } = service.service
    await service.close()
    expect(seedsOf().map((seed) => [seed === plain, openSeed({ keys }, seed)])).toEqual([
      [false, plain],
    ])
    expect(readFileSync(databaseOf(), 'latin1')).not.toContain(token)
  })

  test('does not serve its sandbox API over the data of a production service', async () => {
    await run({ ...asProduction, FIXTURE: world })
    expect(await errorOf({ ENCRYPTION_KEY: key })).toBe(
      'a sandbox does not start with the data of a production; choose other data with --data (DATA_DIR)',
    )
  })
})
