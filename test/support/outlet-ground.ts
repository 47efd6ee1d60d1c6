import { afterEach, beforeEach, expect } from 'vitest'
import {
  type OperatorCommand,
  runOperatorCommand,
} from '../../src/server/operator/operator-command.ts'
import type { AccessDone } from '../../src/server/operator/simplefin-command.ts'
import { connect, listServer, loopbackSettings } from './connected.ts'
import { startService, type Tenant, type TestService } from './service.ts'
import { account, row } from './simplefin-ground.ts'
import { type SimplefinServer, startSimplefin } from './simplefin-server.ts'

// What the tests of the SimpleFIN server share: a bank, the service, and programs that read from it.

export let now: number
export let bank: SimplefinServer
export let service: TestService
export let tenant: Tenant
export let url: string
let other: TestService | undefined

const clock = () => now
export const settings = { settings: loopbackSettings, clock, checkAnswer: undefined }

/** Starts a bank, and a service whose institution it is, before each test. */
export function startOutletBeforeEach(): void {
  beforeEach(start)
  afterEach(end)
}

async function start(): Promise<void> {
  now = Date.parse('2026-03-16T12:00:00Z')
  other = undefined
  bank = await startSimplefin(clock)
  bank.accounts = [
    account({
      rows: [
        row('T1', '2026-03-10'),
        row('T2', '2026-03-12', { amount: '1500.00', description: 'LARKSPUR WAGES 4411' }),
        row('P1', '2026-03-15', { amount: '-20.00', pending: true, posted: 0 }),
      ],
    }),
    account({ id: 'ACT-2', name: 'Savings (5678)', rows: [row('S1', '2026-03-11')] }),
  ]
  service = await startService({ ...settings, publicUrl: () => url })
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  await listServer(service, bank)
  tenant = await service.tenant()
}

async function end(): Promise<void> {
  await other?.close()
  await service.close()
  await bank.close()
}

/** Lets time pass. */
export function wait(ms: number): void {
  now += ms
}

/** A second service, which ends with the test. */
export function alsoEnd(service: TestService): void {
  other = service
}

export const onWait = () => {
  now += 5000
}

/** Links an Item at the bank, and reads it. */
export async function linkAtBank(of: Tenant = tenant) {
  const linked = await connect(service, of, bank, { token: bank.newToken(), onWait })
  await pull(service, of, linked.item_id)
  return linked
}

export async function pull(at: TestService, { clientId }: Tenant, itemId: string, ends?: string) {
  const { due_at } = (await at.service.database.read((db) =>
    db.first<{ due_at: number }>('select due_at from item_pulls where item_id = $1', [itemId]),
  )) as { due_at: number }
  now = Math.max(now, Number(due_at)) + 5000
  expect(await at.service.runner.pull(clientId, itemId)).toBe(ends)
}

export async function* nothing() {}

export async function ask(command: object): Promise<AccessDone> {
  const whole = { ...command, actor: 'operator:test' } as OperatorCommand
  return (await runOperatorCommand(service.service, whole, nothing())) as AccessDone
}

/** A setup token, and the id of its access. */
export async function createToken(of: { item?: string; client_id?: string }) {
  const done = await ask({ simplefin: 'create', name: 'Budget', ...of })
  return { token: done.setup_token ?? '', id: done.access[0]?.id ?? '' }
}

export const claimOf = (token: string) =>
  fetch(Buffer.from(token, 'base64').toString(), { method: 'POST' })

/** Claims a new token; asks for accounts with what it gives. */
export async function openAccess(of: { item?: string; client_id?: string }) {
  const { token, id } = await createToken(of)
  const access = new URL(await (await claimOf(token)).text())
  const credentials = Buffer.from(`${access.username}:${access.password}`).toString('base64')
  const get = async (query = '', authorization = `Basic ${credentials}`) => {
    const response = await fetch(`${url}/simplefin/accounts${query}`, {
      headers: { authorization },
    })
    const text = await response.text()
    const body = text.startsWith('{') ? JSON.parse(text) : text
    return { status: response.status, headers: response.headers, body }
  }
  return { access, get, id, token }
}

export const rowsOf = (at: Tenant, access_token: string) =>
  at.api
    .transactionsSync({ access_token })
    .orThrow()
    .then(({ added }) =>
      added
        .map(({ date, name, amount, pending, original_description, iso_currency_code }) => {
          return [date, name, amount, pending, original_description, iso_currency_code].join(' | ')
        })
        .sort(),
    )

export const accountsOf = async (at: Tenant, access_token: string) =>
  (await at.api.accountsGet({ access_token }).orThrow()).accounts.map(
    ({ name, mask, balances: { current, available, iso_currency_code } }) =>
      [name, mask, current, available, iso_currency_code].join(' | '),
  )
