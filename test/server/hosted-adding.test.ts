import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fileInstitutionId } from '../../src/institution-list/built-in.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import { createPlace, openPlace, type Place } from '../support/engine.ts'
import { importText, longStatement, writeStatement } from '../support/import-file.ts'
import { createVisitor, linkRequest, type Shown, type Visitor } from '../support/link-visitor.ts'
import { newAccessToken, newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// A file with more rows than one transaction holds: a job adds them while the person waits.

const keys = createKeys(Buffer.alloc(32, 7))
const settings = { environment: 'production', reportDelayMs: 0, privateTargets: 'allow' } as const
const rows = 3000
/** The balance after them. */
const closing = 100 - rows / 100
const camt = {
  name: 'a.xml',
  bytes: writeStatement('CAMT.053 version 2', longStatement(rows)),
}

let place: Place
let service: TestService
let tenant: Tenant
beforeEach(async () => {
  place = await createPlace()
  service = await start()
  await listBuiltInInstitutions(service.service)
  tenant = await newTenant(service)
  await write("update clients set webhook = 'https://example.com/hook' where 1 = 1")
})
afterEach(async () => {
  vi.restoreAllMocks()
  await service.close()
  await place.remove()
})

async function start(): Promise<TestService> {
  const database = await openPlace(place.address)
  await migrate(database)
  return startService({ database, keys, settings })
}

/** Lets no job begin, as where the process has much to do. */
const hold = () => vi.spyOn(service.service.clockGuard, 'isRight').mockReturnValue(false)

/** Lets jobs begin again. */
function release(): void {
  vi.restoreAllMocks()
  service.service.runner.wake()
}

type Changes = Partial<Parameters<Tenant['api']['linkTokenCreate']>[0]>

async function open(changes: Changes = {}) {
  const request = { ...linkRequest, institution_id: fileInstitutionId, ...changes }
  const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  const { pathname: path } = new URL(hosted_link_url)
  const visitor = createVisitor(service)
  await visitor.open(path)
  return { link_token, visitor, path }
}

/** Sends a long file, and comes to the page on which the person waits. */
async function toAdding(file = camt) {
  const { visitor, ...made } = await open()
  await visitor.send()
  await visitor.upload(file)
  const share = await visitor.send({ 'kind-0': 'checking' })
  const adding = await visitor.send({ account: '0' })
  return { ...made, visitor, share, adding }
}

/** Asks for the page until the work is over, as a browser does by itself. */
async function wait(visitor: Visitor): Promise<Shown> {
  const { path } = visitor.last()
  await expect
    .poll(async () => (await visitor.open(path)).heading, { timeout: 120_000 })
    .not.toMatch(/^Adding/)
  return visitor.last()
}

const sessionOf = async (link_token: string) =>
  (await tenant.api.linkTokenGet({ link_token }).orThrow()).link_sessions[0]

async function exchange(link_token: string) {
  const [added] = (await sessionOf(link_token))?.results?.item_add_results ?? []
  const public_token = added?.public_token ?? ''
  return tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
}

const countOf = async (what: string): Promise<number> => {
  const sql = `select count(*) as count from ${what} and client_id = $1`
  const row = await service.service.database.single.first<{ count: number }>(sql, [tenant.clientId])
  return Number(row?.count)
}

const write = (sql: string) =>
  service.service.database.transaction((db) =>
    db.run(`${sql} and client_id = $1`, [tenant.clientId]),
  )

/** Moves the time at which the last part was linked. */
const setAddedAt = (change: (at: number) => number) =>
  service.service.database.transaction(async (db) => {
    const row = await db.first<{ connection: string }>(
      'select connection from link_sessions where client_id = $1 and connection is not null',
      [tenant.clientId],
    )
    const connection = JSON.parse(keys.decrypt(row?.connection ?? ''))
    connection.adding.at = change(connection.adding.at)
    await db.run(
      'update link_sessions set connection = $2 where client_id = $1 and connection is not null',
      [tenant.clientId, keys.encrypt(JSON.stringify(connection))],
    )
  })

async function currentOf(access_token: string) {
  const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
  return accounts.map(({ balances }) => balances.current)
}

test('the page answers at once, renews itself, and ends with all rows', async () => {
  hold()
  const { visitor, adding, link_token } = await toAdding()
  expect([adding.status, adding.heading]).toEqual([200, 'Adding your transactions: 68 %'])
  expect(adding.headers['refresh']).toBe('3')
  expect(adding.html).toContain(
    '<p role="status" id="state">2,048 of 3,000 transactions are added.',
  )
  expect(adding.html).toContain('<progress value="2048" max="3000" aria-labelledby="state">')
  expect(adding.html).not.toMatch(/<form|Leave without/)
  expect((await sessionOf(link_token))?.finished_at).toBeNull()
  release()
  const done = await wait(visitor)
  expect(done.heading).toBe('Your accounts are connected')
  expect(done.headers['refresh']).toBeUndefined()
  expect(await countOf('staged_rows where 1 = 1')).toBe(0)
  const { access_token, item_id } = await exchange(link_token)
  expect(await currentOf(access_token)).toEqual([closing])
  expect(await countOf('transactions where removed = 0')).toBe(rows)
  const again = await importText(service, camt.bytes, { client_id: tenant.clientId, item_id })
  expect(again.accounts).toMatchObject([{ known: rows, new: 0 }])
  const names = (await sessionOf(link_token))?.events.map(({ event_name }) => event_name)
  expect(names?.slice(-2)).toEqual(['SUBMIT_CREDENTIALS', 'HANDOFF'])
  const sql = 'select webhook_code from webhook_deliveries where client_id = $1 order by sequence'
  const sent = await service.service.database.single.all(sql, [tenant.clientId])
  expect(sent.map((row) => (row as { webhook_code: string }).webhook_code)).toEqual([
    ...['INITIAL_UPDATE', 'HISTORICAL_UPDATE', 'SESSION_FINISHED'],
  ])
})

describe('while the person waits', () => {
  test.each(['share', 'details', 'connect', 'leave', 'adding'])(
    'the step %s shows the progress and accepts no form',
    async (step) => {
      hold()
      const { visitor, adding, share } = await toAdding()
      const path = adding.path.replace('adding', step)
      expect((await visitor.open(path)).heading).toBe(adding.heading)
      const twice = await visitor.send({ account: '0' }, { page: { ...share, path } })
      expect(twice.heading).toBe(adding.heading)
      expect(await countOf("jobs where kind = 'linkRest'")).toBe(1)
      release()
      expect((await wait(visitor)).heading).toBe('Your accounts are connected')
      expect(await countOf('items where removed_at is null')).toBe(1)
    },
  )

  test('another browser cannot begin again', async () => {
    hold()
    const { visitor, path } = await toAdding()
    const other = createVisitor(service)
    const shown = await other.open(path)
    expect([shown.status, shown.heading]).toEqual([409, 'Your accounts are being connected'])
    expect(shown.html).not.toContain('<form')
    expect((await other.send({}, { page: shown })).heading).toBe(
      'Your accounts are being connected',
    )
    release()
    expect((await wait(visitor)).heading).toBe('Your accounts are connected')
  })

  test('the end of the link token ends nothing', async () => {
    hold()
    const { visitor, adding } = await toAdding()
    await write('update link_tokens set expires_at = 1, page_expires_at = 1 where 1 = 1')
    expect((await visitor.open(adding.path)).heading).toBe(adding.heading)
    release()
    await expect.poll(() => countOf("link_sessions where status = 'SUCCESS'")).toBe(1)
    expect(await countOf('transactions where removed = 0')).toBe(rows)
  })

  test('a user whose file makes no progress can stop and send it again', async () => {
    hold()
    const { visitor, adding, link_token } = await toAdding()
    await setAddedAt((at) => at - 200_000)
    const stalled = await visitor.open(adding.path)
    expect(stalled.heading).toBe('Adding your transactions takes longer than usual')
    expect(stalled.headers['refresh']).toBeUndefined()
    const file = await visitor.send()
    expect(file.heading).toBe('Send a file from your bank')
    expect(await countOf('items where removed_at is null')).toBe(0)
    expect(await countOf('staged_rows where 1 = 1')).toBe(0)
    await visitor.upload({ name: 'a.sta', bytes: writeStatement('MT940', longStatement(rows)) })
    await visitor.send({ 'kind-0': 'checking' })
    await visitor.send({ account: '0' })
    // The job of the first file finds the second one.
    expect(await countOf("jobs where kind = 'linkRest'")).toBe(2)
    release()
    expect((await wait(visitor)).heading).toBe('Your accounts are connected')
    const { access_token, item_id } = await exchange(link_token)
    expect(await currentOf(access_token)).toEqual([closing])
    expect(await countOf(`transactions where removed = 0 and item_id = '${item_id}'`)).toBe(rows)
    expect(await countOf('items where removed_at is null')).toBe(1)
  })

  test('work that goes on again takes no form of a user who wanted to stop', async () => {
    hold()
    const { visitor, adding } = await toAdding()
    await setAddedAt((at) => at - 200_000)
    const stalled = await visitor.open(adding.path)
    await setAddedAt((at) => at + 200_000)
    expect((await visitor.send({}, { page: stalled })).heading).toBe(adding.heading)
    release()
    expect((await wait(visitor)).heading).toBe('Your accounts are connected')
  })

  test('a file of another format in another window doubles nothing', async () => {
    const { visitor, link_token } = await toAdding()
    await wait(visitor)
    const { access_token } = await exchange(link_token)
    const later = longStatement(rows + 500)
    const send = async (file: { name: string; bytes: string }) => {
      const { visitor: own } = await open({ access_token, products: undefined } as never)
      await own.upload(file)
      const shown = await own.send()
      return { own, shown }
    }
    hold()
    const first = await send({ name: 'b.xml', bytes: writeStatement('CAMT.053 version 2', later) })
    expect(first.shown.heading).toMatch(/^Adding/)
    const other = await send({ name: 'b.sta', bytes: writeStatement('MT940', later) })
    expect(other.shown.heading).toMatch(/^Adding/)
    release()
    expect((await wait(first.own)).heading).toBe('Your connection is up to date')
    expect((await wait(other.own)).heading).toBe('Your connection is up to date')
    expect(await countOf('transactions where removed = 0')).toBe(rows + 500)
  })

  test('it is told in German', async () => {
    hold()
    const { visitor } = await open({ language: 'de' })
    await visitor.send()
    await visitor.upload(camt)
    await visitor.send({ 'kind-0': 'checking' })
    const adding = await visitor.send({ account: '0' })
    expect(adding.heading).toBe('Ihre Umsätze werden übernommen: 68 %')
    expect(adding.html).toContain('2.048 von 3.000')
  })
})

describe('what goes wrong meanwhile', () => {
  test('a process that ends loses and doubles nothing', async () => {
    const { visitor, link_token } = await toAdding()
    await service.close()
    service = await start()
    tenant = service.tenantOf(tenant.clientId, tenant.secret)
    service.service.runner.wake()
    const next = createVisitor(service)
    for (const [name, value] of visitor.cookies) next.cookies.set(name, value)
    await next.open(visitor.last().path)
    expect((await wait(next)).heading).toBe('Your accounts are connected')
    const { access_token } = await exchange(link_token)
    expect(await currentOf(access_token)).toEqual([closing])
    expect(await countOf('transactions where removed = 0')).toBe(rows)
  })

  test('rows that were deleted for their age are asked for again, and leave no Item', async () => {
    hold()
    const { visitor } = await toAdding()
    await write('delete from staged_rows where 1 = 1')
    release()
    const shown = await wait(visitor)
    expect(shown.heading).toBe('Send a file from your bank')
    expect(shown.html).toContain('no longer here')
    expect(shown.html).toMatch(/<title>Error: /)
    expect(await countOf('items where removed_at is null')).toBe(0)
    const january = { name: 'a.xml', bytes: writeStatement('CAMT.053 version 2', longStatement(3)) }
    await visitor.upload(january)
    await visitor.send({ 'kind-0': 'checking' })
    expect((await visitor.send({ account: '0' })).heading).toBe('Your accounts are connected')
  })

  test('work that always fails ends, and the file is asked for again', async () => {
    hold()
    vi.spyOn(console, 'error').mockReturnValue()
    const { visitor } = await toAdding()
    await write("update staged_rows set rows = '{' where import_id not like '%statements'")
    await write('update jobs set attempts = 11 where 1 = 1')
    vi.mocked(service.service.clockGuard.isRight).mockReturnValue(true)
    service.service.runner.wake()
    const shown = await wait(visitor)
    expect(shown.html).toContain('could not be added to its end')
    expect(await countOf('items where removed_at is null')).toBe(0)
    expect(await countOf('staged_rows where 1 = 1')).toBe(0)
  })

  test('an Item that an operator removes is not filled again', async () => {
    hold()
    const { visitor } = await toAdding()
    const items = await service.service.database.single.all<{ item_id: string }>(
      'select item_id from items where client_id = $1',
      [tenant.clientId],
    )
    const command = { item: 'remove', id: items[0]?.item_id ?? '', actor: 'test' } as const
    await runOperatorCommand(service.service, command, (async function* () {})())
    release()
    expect((await wait(visitor)).html).toContain('could not be added to its end')
    expect(await countOf('items where removed_at is null')).toBe(0)
  })
})

test('another form of the same bookings adds none, part by part as at once', async () => {
  const { visitor, link_token } = await toAdding()
  await wait(visitor)
  const { access_token } = await exchange(link_token)
  const again = await open({ access_token, products: undefined } as never)
  const mt940 = { name: 'a.sta', bytes: writeStatement('MT940', longStatement(rows)) }
  await again.visitor.upload(mt940)
  hold()
  const adding = await again.visitor.send()
  expect(adding.heading).toMatch(/^Adding/)
  release()
  expect((await wait(again.visitor)).heading).toBe('Your connection is up to date')
  expect(await countOf('transactions where removed = 0')).toBe(rows)
  expect(await currentOf(access_token)).toEqual([closing])
  expect((await sessionOf(again.link_token))?.results).toEqual({ item_add_results: [] })
})

test('a file of many statements and accounts is linked like by the command', async () => {
  const statement = longStatement(700)
  const name = (digit: number) =>
    writeStatement('CAMT.053 version 2', {
      ...statement,
      account: {
        iban: `DE8937040044053201300${digit}`,
        bank: '37040044',
        number: `53201300${digit}`,
      },
    })
  const body = (text: string) => /<Stmt>.*<\/Stmt>/s.exec(text)?.[0] ?? ''
  const all = [1, 2, 3, 4, 5, 6].map((digit) => body(name(digit)))
  const bytes = name(1).replace(body(name(1)), all.join('\n'))
  const { visitor, link_token } = await open()
  await visitor.send()
  await visitor.upload({ name: 'a.xml', bytes })
  const kinds = all.map((_, index) => [`kind-${index}`, 'checking'])
  await visitor.send(Object.fromEntries(kinds))
  await visitor.send({ account: ['0', '1', '3', '4', '5'] })
  await wait(visitor)
  const { item_id } = await exchange(link_token)
  const access_token = await newAccessToken(service, item_id)
  expect(await currentOf(access_token)).toEqual([93, 93, 93, 93, 93])
  expect(await countOf('transactions where removed = 0')).toBe(3500)
})
