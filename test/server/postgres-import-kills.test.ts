import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { addDays } from '../../src/server/kernel/time.ts'
import { writeStatement } from '../support/import-file.ts'
import { asAdmin, urlOf } from '../support/postgres-server.ts'
import { productionKey } from '../support/production-key.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import type { BankBooking } from '../support/statement-files.ts'

// Two processes serve a database, and a third one imports a year of a bank. It is killed again and
// again, each time at another point. The year is there in the end, once.

const name = `test_import_kills_${process.pid}`
const environment = {
  DATABASE_URL: urlOf(name),
  ENCRYPTION_KEY: productionKey,
  SERVICE_ENV: 'production',
}
const kills = 10
const [perMonth, months] = [400, 12]

let processes: ServiceProcess[]
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'import-kills-'))
  await asAdmin((sql) => sql.unsafe(`create database ${name}`))
  processes = [await startProcess(environment), await startProcess(environment)]
}, 60_000)
afterAll(async () => {
  for (const { kill } of processes) await kill()
  rmSync(folder, { recursive: true, force: true })
  await asAdmin((sql) => sql.unsafe(`drop database ${name} (force)`))
})

/** The bookings of a month; many are equal but for their place. */
const bookingsOf = (month: number): BankBooking[] =>
  Array.from({ length: perMonth }, (_, index) => ({
    id: `${month}-${index}`,
    date: addDays(monthOf(month).from, index % 27),
    amount: `-${1 + (index % 5)}.00`,
    description: `Shop ${index % 3}`,
  })).sort((one, other) => one.date.localeCompare(other.date))

function monthOf(month: number): { from: string; to: string } {
  const start = (count: number) => `2025-${String(count + 1).padStart(2, '0')}-01`
  return { from: start(month), to: month === 11 ? '2025-12-31' : addDays(start(month + 1), -1) }
}

const sumOf = (bookings: readonly BankBooking[]) =>
  bookings.reduce((sum, { amount }) => sum + Number(amount), 0)

/** A file with a statement for each month. */
function writeYear(): { file: string; bookings: BankBooking[] } {
  const all = Array.from({ length: months }, (_, month) => bookingsOf(month))
  let balance = 100_000
  const statements = all.map((bookings, month) => {
    const { from, to } = monthOf(month)
    const opening = { amount: balance.toFixed(2), date: from }
    balance += sumOf(bookings)
    return writeStatement('MT940', {
      account: { iban: '', bank: '37040044', number: '532013000' },
      currency: 'EUR',
      opening,
      closing: { amount: balance.toFixed(2), date: to },
      bookings,
    })
  })
  const file = join(folder, 'year.sta')
  writeFileSync(file, statements.join(''))
  return { file, bookings: all.flat() }
}

function startCommand(...args: string[]) {
  const program = spawn(process.execPath, [join(root, 'src/cli/main.ts'), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { program, ended: once(program, 'exit'), output: text(program.stdout) }
}

interface Printed {
  client_id: string
  secret: string
  item_id: string
  access_token: string
  accounts: object[]
}

async function run(...args: string[]): Promise<Printed> {
  const { ended, output } = startCommand(...args, '--json')
  const [[code], printed] = await Promise.all([ended, output])
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${printed}`)
  return JSON.parse(printed) as Printed
}

test('a year whose import is killed ten times is there once', { timeout: 300_000 }, async () => {
  const { client_id, secret } = await run('client', 'create', 'Budget app')
  const { file, bookings } = writeYear()
  const order = (user: string) => [
    'import',
    file,
    '--client',
    client_id,
    '--user',
    user,
    '--account',
    'depository/checking',
  ]
  const begun = performance.now()
  await run(...order('ben'))
  const whole = performance.now() - begun
  const unfinished: number[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const { program, ended } = startCommand(...order('ada'))
    // Half the time at most: what an earlier import has committed takes a later one less.
    await Promise.race([sleep((whole * (kill + 1)) / (2 * kills)), ended])
    if (program.exitCode === null) unfinished.push(kill)
    program.kill('SIGKILL')
    await ended
  }
  expect(unfinished.length).toBeGreaterThan(kills / 2)
  const { item_id } = await run(...order('ada'))
  const again = await run(...order('ada'))
  expect(again.accounts).toMatchObject([{ new: 0, known: bookings.length }])
  const { access_token } = await run('item', 'access-token', item_id)
  for (const service of processes) {
    const found = await readAll(service, { client_id, secret }, access_token)
    expect(found.facts).toEqual(bookings.map(({ date, amount }) => `${date} ${amount}`).sort())
    expect(found.balance).toBe(100_000 + sumOf(bookings))
  }
})

interface Page {
  added: { date: string; amount: number }[]
  next_cursor: string
  has_more: boolean
  accounts: { balances: { current: number } }[]
}

async function readAll(service: ServiceProcess, client: object, access_token: string) {
  const facts: string[] = []
  let cursor: string | undefined
  for (;;) {
    const response = await fetch(`${service.url}/transactions/sync`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...client, access_token, cursor, count: 500 }),
    })
    const page = (await response.json()) as Page
    facts.push(...page.added.map(({ date, amount }) => `${date} ${(0 - amount).toFixed(2)}`))
    cursor = page.next_cursor
    if (!page.has_more) return { facts: facts.sort(), balance: page.accounts[0]?.balances.current }
  }
}
