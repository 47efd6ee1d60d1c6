import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { january, longStatement, writeStatement } from '../support/import-file.ts'
import {
  type PrintedClient as Client,
  openTypedCommands,
  type TypedCommands,
} from '../support/typed-commands.ts'

let typed: TypedCommands
let folder: string
let env: Record<string, string>
beforeEach(() => {
  typed = openTypedCommands()
  ;({ folder, env } = typed)
})
afterEach(() => typed.close())

const run = () => typed.run()
const command: TypedCommands['command'] = (...args) => typed.command(...args)
const json = <Printed>(...args: string[]) => typed.json<Printed>(...args)
const writeFile = (format: string) => typed.write('january', writeStatement(format, january))

test.each([
  [['client', 'create'], 2, 'name the new client'],
  [['client', 'create', 'A', '--webhook', 'http://a.example'], 1, 'must be an https:// address'],
  [['client', 'create', 'A', '--webhook', 'https://u:p@a.example'], 1, 'without a user'],
  [['client', 'disable', 'none'], 1, 'there is no client none'],
  [['import', 'none.ofx', '--client', 'one', '--user', 'ada'], 2, 'there is no such file'],
  [['import', 'none.ofx', '--user', 'ada'], 2, 'name the client with --client'],
  [['import', 'none.ofx', '--client', 'one'], 2, 'with --user'],
  [
    ['import', 'x', '--client', 'c', '--user', 'u', '--account', 'credit'],
    2,
    'depository/checking',
  ],
  [
    ['import', 'x', '--client', 'c', '--user', 'u', '--debt', 'up'],
    2,
    '--debt must be negative or',
  ],
  [['item', 'show', 'none'], 1, 'there is no Item none'],
  [['webhook', 'redeliver', 'none', '--client', 'none'], 1, 'there is no client none'],
  [['audit', 'list', '--since', 'yesterday'], 2, '--since must be a date'],
])('%j ends in one line', async (args, code, message) => {
  env['DATA_DIR'] = join(folder, 'data')
  await run()
  const ended = await command(...args)
  expect([ended.code, ended.output]).toEqual([code, ''])
  expect(ended.errors).toContain(message)
  expect(ended.errors.split('\n')).toHaveLength(1)
})

test('an import ends with 0 where nothing was lost, and with 2 where there is no statement', async () => {
  env['DATA_DIR'] = join(folder, 'data')
  await run()
  const { client_id } = await json<Client>('client', 'create', 'Budget app')
  const order = ['--client', client_id, '--user', 'ada', '--account', 'depository/checking']
  const camt = writeStatement('CAMT.053 version 2', january)
  const [entry = ''] = /<Ntry>.*<\/Ntry>/s.exec(camt) ?? []
  const told = camt.replace('</Stmt>', `${entry.replace('BOOK', 'INFO')}</Stmt>`)
  writeFileSync(join(folder, 'told'), told)
  writeFileSync(join(folder, 'none'), camt.replace(/<Stmt>.*<\/Stmt>/s, ''))
  writeFileSync(join(folder, 'cut'), camt.replace('-12.50', '').replace('>12.50<', '>many<'))
  const whole = await command('import', 'told', ...order)
  expect([whole.code, whole.errors.split('\n').length]).toEqual([0, 1])
  expect(whole.output).toContain('public token')
  const none = await command('import', 'none', ...order)
  const errors = 'none: the file holds no statement that can be read'
  expect(none).toEqual({ code: 2, output: '', errors })
  expect(await command('import', 'cut', ...order)).toMatchObject({ code: 1 })
})

test('an import tells each reason once, and which options the file leaves unused', async () => {
  env['DATA_DIR'] = join(folder, 'data')
  await run()
  const { client_id } = await json<Client>('client', 'create', 'Budget app')
  const order = ['--client', client_id, '--user', 'ada', '--account', 'depository/checking']
  const camt = writeStatement('CAMT.053 version 2', january)
  typed.write('cut.camt', camt.replace('>12.50<', '>many<'))
  const cut = await command('import', 'cut.camt', ...order)
  expect(cut.code).toBe(1)
  expect(cut.errors.split('\n')).toEqual([expect.stringMatching(/^left out .*: line \d+: /)])
  const unused = ['--account-id', '7', '--currency', 'EUR', '--balance', '1.00']
  const file = writeFile('OFX 1.x')
  expect((await command('import', file, ...order)).errors).toBe('')
  expect((await command('import', file, ...order, ...unused)).errors.split('\n')).toEqual([
    'january: --account-id is for CSV, and this file is ofx',
    'january: --currency is for CSV, and this file is ofx',
    'january: --balance is for new accounts, and this file has none',
  ])
})

const mapping = `date: { column: Day, form: YYYY-MM-DD }
amount: { column: Amount }
description: [Text]
currency: { fixed: EUR }
account: { id: { fixed: '12345678' } }
`

test('an import ends with one line where the mapping does not fit the file', async () => {
  env['DATA_DIR'] = join(folder, 'data')
  await run()
  const { client_id } = await json<Client>('client', 'create', 'Budget app')
  writeFileSync(join(folder, 'rows.csv'), 'Day,Sum\n2026-01-05,1.00\n')
  writeFileSync(join(folder, 'map.yaml'), mapping)
  const order = ['--client', client_id, '--user', 'ada', '--mapping', 'map.yaml']
  const ended = await command('import', 'rows.csv', ...order)
  expect([ended.code, ended.output]).toEqual([2, ''])
  expect(ended.errors).toMatch(/^rows\.csv: line 1: the header row has no column .*$/)
})

test('an import that fails late prints the public token of the new Item', async () => {
  env['DATA_DIR'] = join(folder, 'data')
  await run()
  const { client_id } = await json<Client>('client', 'create', 'Budget app')
  const ofx = writeStatement('OFX 1.x', longStatement(2100))
  const [part = ''] = /<STMTTRNRS>.*<\/STMTTRNRS>/s.exec(ofx) ?? []
  const broken = part.replace('Coffee', 'x'.repeat(3_000_000))
  writeFileSync(join(folder, 'long.ofx'), ofx.replace(part, part + broken))
  const ended = await command('import', 'long.ofx', '--client', client_id, '--user', 'ada')
  expect(ended.code).toBe(1)
  expect(ended.output).toMatch(/public token {3}public-production-/)
  expect(ended.errors).toMatch(/^long\.ofx: line \d+: a value of more than \d+ characters$/)
  expect(await json('item', 'list')).toHaveLength(1)
})

test('without data there is one line that says what to do', async () => {
  env['DATA_DIR'] = join(folder, 'data')
  expect(await command('client', 'list')).toEqual({
    code: 1,
    output: '',
    errors: `${join(folder, 'data', 'service.sqlite')} is not there: start the service once, or name its folder`,
  })
})

test.each([
  ['client', 'list'],
  ['item', 'list'],
  ['audit', 'list'],
  ['jobs', 'list'],
])('%s %s uses the database before DATA_DIR, and --data before both', async (...args) => {
  env['DATABASE_URL'] = 'postgres://nobody@127.0.0.1:1/none'
  env['DATA_DIR'] = 'elsewhere'
  expect((await command(...args)).errors).toContain('the database cannot be used')
  expect((await command(...args, '--data', 'other')).errors).toContain('other/service.sqlite')
  env['DATABASE_URL'] = 'mysql://none'
  expect((await command(...args)).errors).toContain('DATABASE_URL must be an address such as')
  delete env['DATABASE_URL']
  expect((await command(...args)).errors).toContain('elsewhere/service.sqlite')
  expect((await command(...args, '--data', '')).errors).toContain('must not be empty')
})
