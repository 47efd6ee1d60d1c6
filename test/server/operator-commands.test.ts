import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { guideFolder } from '../../scripts/docs/guides.ts'
import { createClient } from '../../src/index.ts'
import { setWebhook } from '../../src/server/operator/client-store.ts'
import type { ListedWebhook, NewKey } from '../../src/server/operator/webhook-command.ts'
import { insertDeadJob } from '../../src/server/queue/dead-job-store.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { createDatabase } from '../support/engine.ts'
import { freePort } from '../support/free-port.ts'
import { january, writeStatement } from '../support/import-file.ts'
import { isServerThere } from '../support/postgres-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { openShell } from '../support/shell.ts'
import { snippetsOf } from '../support/snippets.ts'
import {
  type PrintedClient as Client,
  openTypedCommands,
  type TypedCommands,
} from '../support/typed-commands.ts'

const hasServer = await isServerThere()

let typed: TypedCommands
let folder: string
let env: Record<string, string>
beforeEach(() => {
  typed = openTypedCommands()
  ;({ folder, env } = typed)
})
afterEach(() => typed.close())

const run = () => typed.run()
const stop = () => typed.stop()
const command: TypedCommands['command'] = (...args) => typed.command(...args)
const json = <Printed>(...args: string[]) => typed.json<Printed>(...args)
const call: TypedCommands['call'] = (...args) => typed.call(...args)

/** Adds a job that failed for good. */
const addDeadJob = (client_id: string) =>
  typed.database().exclusive((db) =>
    insertDeadJob(db, {
      client_id,
      job_id: 'a-dead-job',
      kind: 'transactionsCheck',
      payload: '{"item_id":"none"}',
      attempts: 12,
      failed_at: Date.now(),
      error: 'a test',
    }),
  )

/** Writes a file of January, and returns its name. */
const writeFile = (format: string) => typed.write('january', writeStatement(format, january))

/** In a checkout the program is not installed. */
const main = join(root, 'src/cli/main.ts')
const prelude = `npx() { shift; node ${main} "$@"; }`

const stores = ['SQLite', ...(hasServer ? ['PostgreSQL'] : [])]

describe.each(stores)('on %s', (store) => {
  let remove = async () => {}
  beforeEach(async () => {
    if (store === 'SQLite') {
      env['DATA_DIR'] = join(folder, 'data')
      return
    }
    const database = await createDatabase()
    env['DATABASE_URL'] = database.address
    remove = database.remove
  })
  afterEach(async () => {
    await stop()
    await remove()
  })

  test('an operator goes from nothing to a customer, also while no service runs', async () => {
    await run()
    const client = await json<Client>('client', 'create', 'Budget app')
    expect(await call(client, '/wallet/list', {})).toMatchObject({ status: 200 })
    const order = ['--client', client.client_id, '--user', 'ada']
    const done = await json<{ item_id: string; public_token: string }>(
      'import',
      writeFile('OFX 1.x'),
      ...order,
    )
    expect(done).toMatchObject({ accounts: [{ new: 1 }], skipped: [], issues: [] })
    const { access_token } = await json<{ access_token: string }>(
      'item',
      'access-token',
      done.item_id,
    )
    const accounts = await call(client, '/accounts/get', { access_token })
    expect(accounts.body).toMatchObject({ accounts: [{ balances: { current: 87.5 } }] })

    await stop()
    const again = await json<object>('import', writeFile('CAMT.053 version 2'), ...order)
    expect(again).toMatchObject({ item_id: done.item_id, accounts: [{ new: 0, merged: 1 }] })
    expect(again).not.toHaveProperty('public_token')
    const items = await json<object[]>('item', 'list')
    expect(items).toMatchObject([{ item_id: done.item_id, connector: 'file' }])
    const shown = await json<object>('item', 'show', done.item_id)
    expect(shown).toMatchObject({ item_id: done.item_id, accounts: 1, transactions: 1 })
    const { code, output } = await command('audit', 'list')
    const actions = output.split('\n').map((line) => line.split('  ')[2])
    expect([code, actions]).toEqual([0, ['client.create', 'import', 'item.access-token', 'import']])
    expect(output).not.toContain(client.secret)
    expect(output).not.toContain(access_token)
  })

  test('a secret is rotated with grace, and a client is disabled at once', async () => {
    await run()
    const client = await json<Client>('client', 'create', 'Budget app')
    const { client_id } = client
    const next = await json<Client>('client', 'rotate-secret', client_id, '--grace', '60')
    const wallets = async (one: Client) => (await call(one, '/wallet/list', {})).status
    expect([await wallets(client), await wallets(next)]).toEqual([200, 200])
    const last = await json<Client>('client', 'rotate-secret', client_id)
    expect([await wallets(client), await wallets(next), await wallets(last)]).toEqual([
      400, 400, 200,
    ])
    await json('client', 'disable', client_id)
    expect(await wallets(last)).toBe(400)
    await json('client', 'enable', client_id)
    expect(await wallets(last)).toBe(200)
    const key = await json<object>('webhook-key', 'rotate', '--client', client_id)
    expect(key).toEqual({ client_id, key_id: expect.any(String) })
    expect(await json('webhook', 'list', '--client', client_id)).toEqual({ webhooks: [] })
  })

  test('a client is listed, its features and the webhooks of its Items change', async () => {
    await run()
    const { client_id } = await json<Client>('client', 'create', 'Budget app')
    const features = ['client', 'features', client_id, '--add', 'transfer_migrate']
    const changed = await json<{ features: string[] }>(...features, '--remove', 'user:write')
    expect(changed.features).toContain('transfer_migrate')
    expect(changed.features).not.toContain('user:write')
    expect((await command('client', 'features', client_id, '--add', 'flights')).errors).toContain(
      'flights is no feature',
    )
    const setWebhook = ['client', 'set-webhook', client_id]
    const target = 'https://lender.example.com/webhooks'
    expect(await json(...setWebhook, target)).toMatchObject({ webhook: target })
    expect(await command(...setWebhook)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^give a URL, or --none/),
    })
    expect((await command(...setWebhook, '--none')).output).toMatch(/^webhook +none$/m)
    const list = await json<object[]>('client', 'list')
    expect(list).toMatchObject([{ client_id, name: 'Budget app', webhook: null }])
    const { output } = await command('client', 'list')
    expect(output).toMatch(new RegExp(`^CLIENT ID .*\\n${client_id}  Budget app  \\S+  enabled$`))
  })

  test('an Item is refreshed and removed', async () => {
    await run()
    const { client_id } = await json<Client>('client', 'create', 'Budget app')
    const user = ['--client', client_id, '--user', 'ada']
    const { item_id } = await json<{ item_id: string }>('import', writeFile('OFX 1.x'), ...user)
    expect(await json('item', 'refresh', item_id)).toMatchObject({ item_id, transactions: 1 })
    expect((await command('item', 'refresh', item_id)).output).toMatch(/^transactions +1$/m)
    const removed = await json<{ removed_at: string | null }>('item', 'remove', item_id)
    expect(removed).toMatchObject({ item_id, removed_at: expect.any(String) })
    const again = await command('item', 'remove', item_id)
    expect(again).toEqual({ code: 1, output: '', errors: `the Item ${item_id} was removed` })
    expect((await command('item', 'list')).output).toContain(`removed ${removed.removed_at}`)
  })

  test('webhooks and keys of all clients are listed and made at once', async () => {
    await run()
    const one = await json<Client>('client', 'create', 'Budget app')
    const other = await json<Client>('client', 'create', 'Lender')
    // Earlier versions accepted an address that production does not send to.
    const webhook = 'https://127.0.0.1:9/webhooks'
    for (const { client_id } of [one, other]) {
      await typed.database().exclusive((db) => setWebhook(db, client_id, webhook))
    }
    const file = writeFile('OFX 1.x')
    for (const { client_id } of [one, other]) {
      await json('import', file, '--client', client_id, '--user', 'ada')
    }
    const list = async (...more: string[]) =>
      (await json<{ webhooks: ListedWebhook[] }>('webhook', 'list', ...more)).webhooks
    await expect
      .poll(async () => (await list()).map(({ status }) => status))
      .toEqual(Array.from({ length: 4 }, () => 'failed'))
    const all = await list()
    expect(all[0]).toMatchObject({ attempts: 1, last_error: 'the address is not public' })
    expect(new Set(all.map(({ client_id }) => client_id)).size).toBe(2)
    expect(await list('--count', '3')).toHaveLength(3)
    const own = await list('--client', one.client_id)
    expect(own.map(({ client_id }) => client_id)).toEqual([one.client_id, one.client_id])
    const { output } = await command('webhook', 'list')
    expect(output).toMatch(/^WEBHOOK ID .* LAST ERROR$/m)
    expect(output).toContain('the address is not public')

    const [{ webhook_id: id = '' } = {}] = own
    const redeliver = await command('webhook', 'redeliver', id, '--client', one.client_id)
    expect(redeliver).toEqual({ code: 0, output: 'the webhook is sent again', errors: '' })
    const attempts = async () =>
      (await list('--client', one.client_id)).find(({ webhook_id }) => webhook_id === id)?.attempts
    await expect.poll(attempts).toBe(2)
    expect(await command('webhook', 'redeliver', id)).toMatchObject({ code: 2, output: '' })

    const { keys } = await json<{ keys: NewKey[] }>('webhook-key', 'rotate')
    expect(keys.map(({ client_id }) => client_id).sort()).toEqual(
      [one.client_id, other.client_id].sort(),
    )
    const [{ client_id = '', key_id = '' } = {}] = keys
    const owner = client_id === one.client_id ? one : other
    expect(await call(owner, '/webhook_verification_key/get', { key_id })).toMatchObject({
      status: 200,
      body: { key: { kid: key_id, expired_at: null } },
    })
  })

  test('what operators do with all the data is in the audit log, too', async () => {
    await run()
    const client = await json<Client>('client', 'create', 'Budget app')
    const { client_id } = client
    await addDeadJob(client_id)
    expect(await json('jobs', 'rerun', '--all')).toMatchObject({ revived: ['a-dead-job'] })
    const isFolder = store === 'SQLite'
    if (isFolder) {
      expect(await command('backup', 'copy')).toMatchObject({ code: 0, errors: '' })
      // The copy has the note of itself.
      const copied = await command('audit', 'list', '--data', 'copy', '--action', 'backup')
      expect(copied.output).toContain(join(folder, 'copy'))
    }
    await stop()
    env['ENCRYPTION_KEY_PREVIOUS'] = env['ENCRYPTION_KEY'] ?? ''
    env['ENCRYPTION_KEY'] = randomBytes(32).toString('hex')
    await run()
    await stop()
    delete env['ENCRYPTION_KEY_PREVIOUS']
    await run()
    const lines = async (...filter: string[]) => {
      const { output } = await command('audit', 'list', '--json', ...filter)
      return output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    }
    const all = await lines()
    expect(all.map(({ action }) => action)).toEqual([
      'client.create',
      'jobs.rerun',
      ...(isFolder ? ['backup'] : []),
      'encryption-key.replace',
      'encryption-key.retire',
    ])
    const actor = expect.stringMatching(/^operator:./)
    expect(all[1]).toMatchObject({ actor, client_id, subject: 'a-dead-job' })
    if (isFolder) expect(all[2]).toMatchObject({ actor, subject: join(folder, 'copy') })
    expect(all.at(-1)).toMatchObject({ actor: 'service:start', client_id: '' })
    const ids = (some: Record<string, unknown>[]) => some.map((one) => one['audit_id'])
    expect(ids(await lines('--client', client_id))).toEqual(ids(all.slice(0, 2)))
    expect(ids(await lines('--action', 'encryption-key'))).toEqual(ids(all.slice(-2)))
    expect(ids(await lines('--action', 'jobs.rerun'))).toEqual(ids(all.slice(1, 2)))
    expect(await lines('--action', 'job')).toEqual([])
  })

  test('a second file that overlaps reaches the app by a webhook', async () => {
    // Production sends to public addresses only.
    env['SERVICE_ENV'] = 'sandbox'
    const receiver = await startReceiver()
    const address = await run()
    const created = ['client', 'create', 'Budget app', '--webhook', receiver.url]
    const client = await json<Client>(...created)
    const user = ['--client', client.client_id, '--user', 'ada']
    const file = typed.write('january.ofx', writeStatement('OFX 1.x', january))
    const { public_token } = await json<{ public_token: string }>('import', file, ...user)
    const api = createClient({
      baseUrl: address,
      clientId: client.client_id,
      secret: client.secret,
    })
    const { access_token } = await api.itemPublicTokenExchange({ public_token }).orThrow()
    const { accounts } = await api.accountsGet({ access_token }).orThrow()
    expect(accounts).toMatchObject([{ mask: '3000', balances: { current: 87.5 } }])
    const first = await api.transactionsSync({ access_token }).orThrow()
    expect(first.added.map(({ date, amount }) => [date, amount])).toEqual([['2026-01-05', 12.5]])
    const told = (await receiver.arrivals(2)).length

    const later = typed.write('february.camt', writeStatement('CAMT.053 version 8', february))
    const again = await json<object>('import', later, ...user)
    expect(again).toMatchObject({ accounts: [{ new: 1, merged: 1 }] })
    const events = []
    for (const { body, headers } of (await receiver.arrivals(told + 2)).slice(told)) {
      events.push(await verifyWebhook(body, headers, { client: api }))
    }
    const { item_id } = (await api.accountsGet({ access_token }).orThrow()).item
    expect(
      events.map((event) => [event.webhook_code, 'item_id' in event && event.item_id]),
    ).toEqual(expect.arrayContaining([['SYNC_UPDATES_AVAILABLE', item_id]]))
    const cursor = first.next_cursor
    const next = await api.transactionsSync({ access_token, cursor }).orThrow()
    expect(next.added.map(({ date, amount }) => [date, amount])).toEqual([['2026-02-10', 20]])
    expect([next.modified, next.removed]).toEqual([[], []])
    await receiver.close()
  })
})

const [coffee = { id: '', date: '', amount: '', description: '' }] = january.bookings

/** A statement that begins before January has ended. */
const february = {
  ...january,
  opening: { amount: '100.00', date: '2026-01-05' },
  closing: { amount: '67.50', date: '2026-02-28' },
  bookings: [
    { ...coffee, id: 'B1' },
    { id: 'B2', date: '2026-02-10', amount: '-20.00', description: 'Groceries' },
  ],
}

const guide = `${guideFolder}/17-open-for-business.md`

describe.each(stores)('the guide on %s', (store) => {
  test('has commands that work as they stand there', { timeout: 300_000 }, async () => {
    const port = String(await freePort())
    const gatewayPort = String(await freePort())
    const database = store === 'SQLite' ? undefined : await createDatabase()
    const address = database ? `export DATABASE_URL=${database.address} LOG_LEVEL=silent` : ''
    const shell = openShell(folder)
    try {
      await shell.type(`${prelude}\nexport PORT=${port} LOG_LEVEL=silent\n${address}`)
      for (const { code, prints } of snippetsOf(guide, 'sh')) {
        const here = code
          .replaceAll(':4000', `:${port}`)
          .replaceAll('4701', gatewayPort)
          .replaceAll('node_modules/.bin/financial-data-service', `node ${main}`)
          .replaceAll(
            `'financial-data-service/webhooks'`,
            `'${join(root, 'src/webhooks/index.ts')}'`,
          )
          .replaceAll(`'financial-data-service'`, `'${join(root, 'src/index.ts')}'`)
        const typed = await shell.type(database ? here.replace(' --data data', '') : here)
        expect([typed.code, typed.output]).toEqual([0, prints ?? typed.output])
        expect(typed.output).not.toMatch(/"error_code"|error: |Error: |command not found|undefined/)
      }
    } finally {
      await shell.close()
      await database?.remove()
    }
  })
})
