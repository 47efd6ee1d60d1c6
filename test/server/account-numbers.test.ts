import { describe, expect, test } from 'vitest'
import { alikeNamesOf, mayBeOne, namesOf } from '../../src/server/sources/account-numbers.ts'

// Bank and account as files without an IBAN name them, beside the IBAN of the registry's example.
// The countries' structures are those of the IBAN registry.
const examples = [
  ['AT611904300234573201', '19043', '00234573201'],
  ['CH9300762011623852957', '00762', '011623852957'],
  ['CY17002001280000001200527600', '00200128', '0000001200527600'],
  ['CZ6508000000192000145399', '0800', '19-2000145399'],
  ['DE89370400440532013000', '37040044', '532013000'],
  ['DK5000400440116243', '0040', '0440116243'],
  ['ES9121000418450200051332', '21000418', '0200051332'],
  ['FI2112345600000785', '123', '12345600000785'],
  ['FR1420041010050500013M02606', '20041 01005', '0500013M026'],
  ['GB29NWBK60161331926819', '60-16-13', '31926819'],
  ['GR1601101250000000012300695', '0110125', '0000000012300695'],
  ['HR1210010051863000160', '1001005', '1863000160'],
  ['IE29AIBK93115212345678', '93-11-52', '12345678'],
  ['IT60X0542811101000000123456', '05428 11101', '000000123456'],
  ['LI21088100002324013AA', '08810', '0002324013AA'],
  ['LT121000011101001000', '10000', '11101001000'],
  ['LU280019400644750000', '001', '9400644750000'],
  ['MC5811222000010123456789030', '11222 00001', '01234567890'],
  ['NL91ABNA0417164300', 'ABNA', '0417164300'],
  ['NO9386011117947', '8601', '86011117947'],
  ['PL61109010140000071219812874', '10901014', '0000071219812874'],
  ['PT50000201231234567890154', '00020123', '12345678901'],
  ['SK3112000000198742637541', '1200', '19-8742637541'],
  ['SM86U0322509800000000270100', '03225 09800', '000000270100'],
] as const

const currency = 'EUR'

test.each(examples)('%s is the account of its bank and number', (iban, bank_id, id) => {
  expect(namesOf({ id: iban, iban, currency })).toContain(
    namesOf({ id, bank_id, currency })[0] ?? '',
  )
})

describe('a branch that a file names apart', () => {
  const [bank_id, branch_id, id] = ['30006', '00001', '12345678901']
  const iban = 'FR7630006000011234567890189'

  test('is a part of the bank', () => {
    const [name = ''] = namesOf({ id, bank_id, branch_id, currency })
    expect(namesOf({ id: iban, iban, currency })).toContain(name)
    expect(namesOf({ id, bank_id, branch_id: '00002', currency })).not.toContain(name)
  })

  test('may be missing in another file', () => {
    const names = alikeNamesOf({ id, bank_id, branch_id, currency })
    expect(names).toEqual([...namesOf({ id, currency }), ...namesOf({ id, bank_id, currency })])
    expect(alikeNamesOf({ id, bank_id, currency })).toEqual(namesOf({ id, currency }))
  })
})

test.each([
  ['SE4550000000058398257466', '58398257466', true],
  ['58398257466', 'SE45 5000 0000 0583 9825 7466', true],
  ['SE4550000000058398257466', '5839-8257 466', true],
  ['SE4550000000058398257466', '57466', false],
  ['SE4550000000058398257466', '455000', false],
  ['SE4550000000058398257466', 'SE4550000000058398257466', false],
  ['58398257466', '58398257466', false],
])('%s and %s may be one account: %s', (one, other, expected) => {
  expect(mayBeOne(one, other)).toBe(expected)
})
