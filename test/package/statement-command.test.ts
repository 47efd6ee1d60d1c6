import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { attempt } from '../support/installed-package.ts'
import { writers } from '../support/statement-files.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'statement-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const main = join(root, 'src/cli/main.ts')
const command = (args: string[], input = '') =>
  attempt(process.execPath, [main, 'statement', ...args], { cwd: folder, input })

const booking = { date: '2026-01-03', counterparty: 'Kiosk', description: 'Paper', id: 'B1' }
const written = {
  account: { iban: 'GB33BUKB20201555555555', bank: '20201555', number: '55555555' },
  currency: 'GBP',
  opening: { amount: '100.00', date: '2026-01-01' },
  closing: { amount: '97.50', date: '2026-01-31' },
  bookings: [{ ...booking, amount: '-2.50' }],
}
const ofx = writers.find(({ name }) => name === 'OFX 2.x')!.write(written)

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return name
}

describe('statement', () => {
  test('prints a summary', async () => {
    const { code, stdout, stderr } = await command([file('a.ofx', ofx)])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`account 55555555, 20201555, CHECKING, GBP
  bookings  1, 2026-01-03 to 2026-01-03
  in        0.00 GBP
  out       2.50 GBP
  closing   97.50 GBP, 2026-01-31
ofx, utf-8
`)
  })

  test('prints the neutral form, of standard input too', async () => {
    const { code, stdout } = await command(['-', '--json'], ofx)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      format: 'ofx',
      encoding: 'utf-8',
      statements: [
        {
          account: { id: '55555555', bank_id: '20201555', type: 'CHECKING', currency: 'GBP' },
          from: '2026-01-01',
          to: '2026-01-31',
          balances: [{ type: 'closing', amount: '97.50', currency: 'GBP', date: '2026-01-31' }],
          transactions: [
            {
              id: 'B1',
              status: 'posted',
              amount: '-2.50',
              currency: 'GBP',
              date: '2026-01-03',
              description: 'Kiosk Paper',
              counterparty: 'Kiosk',
              references: { type: 'DEBIT' },
            },
          ],
        },
      ],
      issues: [],
    })
  })

  test('ends with 1 where something could not be read, and prints the rest', async () => {
    const name = file('half.ofx', ofx.slice(0, ofx.indexOf('<LEDGERBAL>')))
    const { code, stdout } = await command([name, '--json'])
    expect(code).toBe(1)
    const { statements, issues } = JSON.parse(stdout)
    expect(statements[0].transactions).toHaveLength(1)
    expect(issues).toMatchObject([{ code: 'UNEXPECTED_END' }])
  })

  const csv = 'When,What,How much\n2026-01-03,Paper,-2.50\n'
  const mapping = `date: { column: When, form: YYYY-MM-DD }
amount: { column: How much }
description: [What]
currency: { fixed: GBP }
account: { id: { fixed: '55555555' }, type: { fixed: depository }, subtype: { fixed: checking } }
`

  test('reads CSV by a mapping', async () => {
    const named = file('m.yaml', mapping)
    const { code, stdout } = await command([file('a.csv', csv), '--mapping', named, '--json'])
    expect(code).toBe(0)
    const { format, statements } = JSON.parse(stdout)
    expect(format).toBe('csv')
    expect(statements).toMatchObject([
      { account: { id: '55555555', type: 'depository', subtype: 'checking', currency: 'GBP' } },
    ])
    expect(statements[0].transactions).toHaveLength(1)
  })

  test('proposes a mapping for CSV that it does not know, by which it can be read', async () => {
    const name = file('b.csv', csv)
    const { code, stdout, stderr } = await command([name])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'b.csv: a mapping is needed, since no built-in mapping fits its header row: save the mapping on ' +
        'standard output, correct the lines that it marks, and pass it with --mapping\n',
    )
    const again = await command([name, '--mapping', file('proposal.yaml', stdout)])
    expect(again).toMatchObject({ code: 0, stderr: '' })
    const asJson = await command([name, '--json'])
    expect(asJson).toMatchObject({ code: 2, stdout: '' })
  })

  test('reads CSV of a known shape, with what it does not name', async () => {
    const name = file('c.csv', 'Date,Description,Amount\n2026-01-03,Paper,-2.50\n')
    const { code, stdout } = await command([name, '--currency', 'GBP', '--account-id', '1'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^account 1, GBP\n/)
  })

  test('tells the mistakes of a mapping by line', async () => {
    const named = file('wrong.yaml', `${mapping}colour: red\nseparator: x\n`)
    const { code, stderr } = await command([file('a.csv', csv), '--mapping', named])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^wrong.yaml:6:1: colour is not a known key\nwrong.yaml:7:1: separator /)
  })

  test.each<[string, string[], string]>([
    [
      'a mapping is for another format',
      ['a.csv', '--mapping', 'm.yaml', '--format', 'ofx'],
      'for CSV',
    ],
    [
      'both say the currency',
      ['a.csv', '--mapping', 'm.yaml', '--currency', 'EUR'],
      'in the mapping',
    ],
    ['there is no mapping', ['a.csv', '--mapping', 'no.yaml'], 'no.yaml: there is no such file'],
    ['the file is a PDF', ['a.pdf'], 'a.pdf: the file is a PDF'],
    ['there is no file', ['none.ofx'], 'none.ofx: there is no such file'],
    ['no file is named', [], 'name one file'],
    ['the format is unknown', ['a.pdf', '--format', 'pdf'], '--format must be one of ofx'],
    ['nothing is in it', ['empty.ofx'], 'the file holds no statement that can be read'],
  ])('ends with 2 where %s', async (_, args, told) => {
    file('a.pdf', '%PDF-1.7')
    file('empty.ofx', '<OFX></OFX>')
    const { code, stderr } = await command(args)
    expect(code).toBe(2)
    expect(stderr).toContain(told)
    expect(stderr.trim()).not.toContain('\n')
  })
})
