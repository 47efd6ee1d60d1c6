import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UnknownOutcome } from '../../src/server/kernel/database.ts'
import type { Service } from '../../src/server/kernel/service.ts'
import { importFile } from '../../src/server/operator/import-file.ts'
import { maskFileName } from '../../src/server/operator/mask-file-name.ts'
import {
  type OperatorCommand,
  runOperatorCommand,
} from '../../src/server/operator/operator-command.ts'
import { OperatorError } from '../../src/server/operator/operator-error.ts'
import { readStatement } from '../../src/statements/read-statement.ts'
import type { StatementEvent } from '../../src/statements/statement.ts'
import { importText, january, longStatement, writeStatement } from '../support/import-file.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
})
afterAll(() => service.close())

const text = writeStatement('OFX 1.x', january)

async function* nothing() {}

type Unsigned<Command> = Command extends OperatorCommand ? Omit<Command, 'actor'> : never

const command = (asked: Unsigned<OperatorCommand>, on: Service = service.service) =>
  runOperatorCommand(on, { ...asked, actor: 'test' } as OperatorCommand, nothing())

describe('an import', () => {
  beforeAll(async () => {
    tenant = await service.tenant()
  })

  test('reads no file for a client that is not there or is disabled', async () => {
    const { clientId } = await service.tenant()
    await command({ client: 'disable', id: clientId })
    for (const [client_id, reason] of [
      ['nobody', 'there is no client nobody'],
      [clientId, `the client ${clientId} is disabled`],
    ] as const) {
      let isRead = false
      const events = (async function* (): AsyncGenerator<StatementEvent[]> {
        isRead = true
        yield []
      })()
      await expect(importFile(service.service, orderOf(client_id), events, 'test')).rejects.toThrow(
        reason,
      )
      expect(isRead).toBe(false)
    }
  })

  test('ends when the client is disabled, and keeps what it has committed', async () => {
    const { clientId } = await service.tenant()
    const [first = [], ...rest] = [await longEvents(2100), await longEvents(2100)]
    const events = (async function* () {
      yield first
      // The next statement ends the first one, which is committed.
      yield rest.flat().slice(0, 1)
      await command({ client: 'disable', id: clientId })
      yield rest.flat().slice(1)
    })()
    const order = { ...orderOf(clientId), partial: true }
    const ended = importFile(service.service, order, events, 'test')
    await expect(ended).rejects.toMatchObject({
      cause: new OperatorError(`the client ${clientId} is disabled: \`client enable\` lets it in`),
      report: { accounts: [{ new: 2100 }] },
    })
  })

  test('into an Item that was removed is rejected in words', async () => {
    const order = { client_id: tenant.clientId, client_user_id: 'removed' }
    const { item_id } = await importText(service, text, order)
    await command({ item: 'remove', id: item_id ?? '' })
    const again = importText(service, text, { ...order, item_id: item_id ?? '' })
    await expect(again).rejects.toThrow(new OperatorError(`the Item ${item_id} was removed`))
  })

  test('does the same in a dry run, of whatever length', async () => {
    const events = await longEvents(2100)
    const whole = { ...orderOf(tenant.clientId), client_user_id: 'long' }
    // The file has the statement twice: its rows are known the second time.
    const twice = async function* () {
      yield* [events, events]
    }
    const dry = await importFile(service.service, { ...whole, dryRun: true }, twice(), 'test')
    const done = await importFile(service.service, whole, twice(), 'test')
    const counts = { new: 2100, known: 2100 }
    expect([dry.accounts, done.accounts]).toMatchObject([[counts], [counts]])
    expect([dry.item_id, done.item_id]).toEqual([null, expect.any(String)])
    const known = await importFile(service.service, { ...whole, dryRun: true }, twice(), 'test')
    expect(known.item_id).toBe(done.item_id)
  })

  test('leaves no number of an account in the audit log', async () => {
    const file = 'DE89370400440532013000_2026-01.ofx'
    await importText(service, text, { client_id: tenant.clientId, client_user_id: 'eva', file })
    const after = { at: '', audit_id: '' }
    const log = JSON.stringify(await command({ audit: 'list', after, count: 1000 }))
    expect(log).toContain('***_2026-01.ofx')
    expect(log).not.toContain('532013000')
  })
})

const orderOf = (client_id: string) => ({
  client_id,
  client_user_id: 'ada',
  institution_id: 'ins_100000',
  origin: 'ofx',
  file: 'a test',
  partial: false,
  dryRun: false,
})

async function longEvents(count: number): Promise<StatementEvent[]> {
  const pieces = (async function* () {
    yield Buffer.from(writeStatement('OFX 1.x', longStatement(count)))
  })()
  const all: StatementEvent[] = []
  for await (const batch of (await readStatement(pieces)).events) all.push(...batch)
  return all
}

test.each([
  ['january.ofx', 'january.ofx'],
  ['umsatz 532013000 2026-01.csv', 'umsatz *** 2026-01.csv'],
  ['DE89 3704 0044 0532 0130 00.mt940', '***.mt940'],
  ['nl91-abna-0417-1643-00_may.sta', '***_may.sta'],
  ['NL91ABNA0417164300.sta', '***.sta'],
  ['12345.csv', '12345.csv'],
])('a file that is called %s is %s in the audit log', (name, masked) => {
  expect(maskFileName(name)).toBe(masked)
})

describe('a command', () => {
  test('whose outcome is not known says so in one line', async () => {
    const exclusive = () => Promise.reject(new UnknownOutcome('the connection was lost'))
    const { database } = service.service
    const failing = { ...service.service, database: { ...database, exclusive } }
    await expect(command({ client: 'create', name: 'A' }, failing)).rejects.toThrow(
      new OperatorError(
        'the service failed as it kept a change: look whether it did before you repeat it',
      ),
    )
  })

  test.each(['https://user:word@a.example', 'https://user@a.example'])(
    'rejects the webhook %s, which the audit log would show',
    async (webhook) => {
      const creating = command({ client: 'create', name: 'A', webhook })
      await expect(creating).rejects.toThrow('without a user and a password')
    },
  )

  test.each([
    'http://a.example',
    'https://127.0.0.1',
    'https://10.0.0.1',
    'https://[::1]/w',
    'https://localhost',
  ])('rejects the webhook %s, which production never sends to', async (webhook) => {
    const expected = 'the webhook must be an https:// address on the public internet'
    await expect(command({ client: 'create', name: 'A', webhook })).rejects.toThrow(expected)
    const { clientId: id } = await service.tenant()
    const change = { client: 'set-webhook', id, webhook } as const
    await expect(command(change)).rejects.toThrow(expected)
  })
})
