import { describe, expect, test } from 'vitest'
import { issuesOf, readBytes, readOrRefuse, transactionsOf } from '../support/read-bytes.ts'
import { ofx, row, usual } from '../support/small-ofx.ts'

async function onlyRow(text: string) {
  const { events } = await readBytes(text)
  expect(issuesOf(events)).toEqual([])
  return transactionsOf(events)[0]
}

describe('OFX', () => {
  test.each([
    ['-12.5', '-12.50'],
    ['+12', '12.00'],
    ['1500,25', '1500.25'],
    ['-.5', '-0.50'],
    ['-0000012.3000', '-12.30'],
    ['-0.00', '0.00'],
  ])('%s is %s', async (written, amount) => {
    const text = ofx(row(`<DTPOSTED>20260103<TRNAMT>${written}<FITID>1`))
    expect(await onlyRow(text)).toMatchObject({ amount })
  })

  test.each([
    ['1.005', 'UNSUPPORTED_PRECISION'],
    ['1,234.50', 'INVALID_AMOUNT'],
    ['twelve', 'INVALID_AMOUNT'],
    ['', 'MISSING_VALUE'],
  ])('the amount `%s` is not guessed at: %s at its line', async (written, code) => {
    const { events } = await readBytes(
      ofx(`${row(usual)}\n${row(`<TRNAMT>${written}<DTPOSTED>20260103`)}`),
    )
    expect(issuesOf(events)).toMatchObject([{ code, line: 8 }])
    expect(transactionsOf(events)).toHaveLength(1)
  })

  test.each([
    '20260103',
    '20260103235959',
    '20260103003000.000[-8:PST]',
    '20260103233000[+12:NZST]',
  ])('the day of %s is the one that is written', async (written) => {
    const text = ofx(row(`<DTPOSTED>${written}<TRNAMT>1<FITID>1`))
    expect(await onlyRow(text)).toMatchObject({ date: '2026-01-03' })
  })

  test('rows, lists and values that were never closed end where the next begins', async () => {
    const { events } = await readBytes(
      ofx(`<BANKTRANLIST><DTSTART>20260101<DTEND>20260131
<STMTTRN><TRNTYPE>DEBIT${usual}<NAME>First<MEMO>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260104<TRNAMT>-2<FITID>2<NAME>Second
<LEDGERBAL><BALAMT>3<DTASOF>20260131</LEDGERBAL>`),
    )
    expect(issuesOf(events)).toEqual([])
    expect(transactionsOf(events).map(({ description }) => description)).toEqual([
      'First',
      'Second',
    ])
    expect(events).toContainEqual({
      kind: 'period',
      period: { from: '2026-01-01', to: '2026-01-31' },
    })
    expect(events.at(-1)).toMatchObject({ balance: { type: 'closing', amount: '3.00' } })
  })

  test('text in Windows-1252 is read as such, and entities are taken out', async () => {
    const text = ofx(row(`${usual}<NAME>Caf\xe9 &amp; Bar &#8211; B&B<MEMO>&lt;1&gt;&nbsp;x`))
    const { events, encoding } = await readBytes(Buffer.from(text, 'latin1'))
    expect(encoding).toBe('windows-1252')
    expect(transactionsOf(events)).toMatchObject([
      { counterparty: 'Café & Bar – B&B', description: 'Café & Bar – B&B <1> x' },
    ])
  })

  test('a booking in another currency has its own', async () => {
    const text = ofx(row(`${usual}<CURRENCY><CURRATE>1.1<CURSYM>CAD</CURRENCY>`))
    expect(await onlyRow(text)).toMatchObject({ currency: 'CAD' })
    const original = ofx(row(`${usual}<ORIGCURRENCY><CURRATE>1.1<CURSYM>CAD</ORIGCURRENCY>`))
    expect(await onlyRow(original)).toMatchObject({ currency: 'USD' })
  })

  test('a correction names what it corrects', async () => {
    const text = ofx(row(`${usual}<CORRECTFITID>0<CORRECTACTION>DELETE`))
    expect(await onlyRow(text)).toMatchObject({
      references: { corrects: '0', correction: 'DELETE' },
    })
  })

  test('cards and pending bookings are read', async () => {
    const { events } = await readBytes(`<?xml version="1.0"?><?OFX OFXHEADER="200"?>
<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR</CURDEF>
<CCACCTFROM><ACCTID>4000</ACCTID></CCACCTFROM><BANKTRANLISTP><STMTTRNP><TRNTYPE>DEBIT</TRNTYPE>
<DTTRAN>20260105</DTTRAN><TRNAMT>-7</TRNAMT><NAME>Kiosk</NAME></STMTTRNP></BANKTRANLISTP>
</CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`)
    expect(events).toMatchObject([
      { kind: 'statement', account: { id: '4000', currency: 'EUR' } },
      { transaction: { status: 'pending', date: '2026-01-05', amount: '-7.00' }, line: 3 },
    ])
  })

  test('a branch is told beside its bank', async () => {
    const { events } = await readBytes(`<OFX><STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>30006<BRANCHID>00001<ACCTID>12345678901</BANKACCTFROM></STMTRS></OFX>`)
    expect(events).toEqual([
      {
        kind: 'statement',
        account: { id: '12345678901', bank_id: '30006', branch_id: '00001', currency: 'EUR' },
      },
    ])
  })

  test('what a bank says in place of a statement is told', async () => {
    const text = '<OFX><SONRS><STATUS><CODE>15500<SEVERITY>ERROR</STATUS></SONRS></OFX>'
    expect(issuesOf((await readBytes(text)).events)).toMatchObject([{ code: 'REPORTED_BY_BANK' }])
  })

  test('an error of the bank is told beside the rows that come with it', async () => {
    const text = ofx(row(usual)).replace('<STMTRS>', '<STATUS><SEVERITY>Error</STATUS><STMTRS>')
    const { events } = await readBytes(text)
    expect(issuesOf(events)).toMatchObject([{ line: 5, code: 'REPORTED_BY_BANK' }])
    expect(transactionsOf(events)).toHaveLength(1)
  })

  test('an account that is only listed is no statement', async () => {
    const listed = '<OFX><ACCTINFO><BANKACCTFROM><ACCTID>1</BANKACCTFROM></ACCTINFO></OFX>'
    expect((await readBytes(listed)).events).toEqual([])
  })
})

const camt = (entries: string, version = '08', account = '<Ccy>EUR</Ccy>') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>DE02100100100006820101</IBAN></Id>${account}</Acct>
${entries}
</Stmt></BkToCstmrStmt></Document>`

const entry = (amount: string, direction: string, rest: string, status = '<Sts>BOOK</Sts>') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${status}` +
  `<BookgDt><Dt>2026-01-02</Dt></BookgDt>${rest}</Ntry>`

describe('CAMT', () => {
  test('a reversal has the direction that is written', async () => {
    const text = camt(entry('5', 'CRDT', '<RvslInd>true</RvslInd>'))
    expect(await onlyRow(text)).toMatchObject({ amount: '5.00', references: { reversal: 'true' } })
  })

  const ownersOf = async (owner: string) => {
    const { events } = await readBytes(camt('', '08', `<Ccy>EUR</Ccy>${owner}`))
    return events.flatMap((event) => (event.kind === 'statement' ? event.account.owners : []))
  }

  test('the owner of an account is told with address and contacts', async () => {
    const address =
      '<StrtNm>Juniper Lane</StrtNm><BldgNb>18</BldgNb><PstCd>97031</PstCd><TwnNm>Larkspur</TwnNm><CtrySubDvsn>BE</CtrySubDvsn><Ctry>DE</Ctry>'
    const contacts =
      '<PhneNb>+49-30123</PhneNb><MobNb>+49-151</MobNb><EmailAdr>maren@example.com</EmailAdr>'
    const owner = `<Ownr><Nm>Maren  Talvik</Nm><PstlAdr>${address}</PstlAdr><CtctDtls>${contacts}</CtctDtls></Ownr>`
    expect(await ownersOf(owner)).toEqual([
      {
        name: 'Maren Talvik',
        address: {
          street: 'Juniper Lane 18',
          postal_code: '97031',
          city: 'Larkspur',
          region: 'BE',
          country: 'DE',
        },
        phone: '+49-30123',
        mobile: '+49-151',
        email: 'maren@example.com',
      },
    ])
    const lines = '<AdrLine>Juniper Lane 18</AdrLine><AdrLine>97031 Larkspur</AdrLine>'
    expect(await ownersOf(`<Ownr><Nm>M</Nm><PstlAdr>${lines}</PstlAdr></Ownr>`)).toEqual([
      { name: 'M', address: { street: 'Juniper Lane 18, 97031 Larkspur' } },
    ])
    expect(await ownersOf('<Ownr><Id><OrgId/></Id></Ownr>')).toEqual([undefined])
  })

  const details = (...amounts: string[]) =>
    `<NtryDtls>${amounts
      .map((amount) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt></TxDtls>`)
      .join('')}</NtryDtls>`

  test('the day of a payment is told where it stands, and one that is wrong costs nothing', async () => {
    const dated = (day: string) =>
      camt(
        entry(
          '1',
          'DBIT',
          `<NtryDtls><TxDtls><RltdDts><TxDtTm>${day}</TxDtTm></RltdDts></TxDtls></NtryDtls>`,
        ),
      )
    expect(await onlyRow(dated('2026-01-01T12:00:00'))).toMatchObject({
      references: { transaction_date: '2026-01-01' },
    })
    expect(await onlyRow(dated('00000000'))).not.toHaveProperty('references')
    const bought = await onlyRow(ofx(row(`${usual}<DTUSER>20251231`)))
    expect(bought?.references).toMatchObject({ transaction_date: '2025-12-31' })
  })

  test('payments that were booked at once are told one by one where they add up', async () => {
    const { events } = await readBytes(camt(entry('30', 'DBIT', details('10', '19.50', '0.50'))))
    expect(transactionsOf(events).map(({ amount }) => amount)).toEqual([
      '-10.00',
      '-19.50',
      '-0.50',
    ])
  })

  test.each([[['10', '19.50']], [['10', '20', '1']]])(
    'and are one booking where they do not: %j',
    async (amounts) => {
      const { events } = await readBytes(camt(entry('30', 'DBIT', details(...amounts))))
      expect(transactionsOf(events).map(({ amount }) => amount)).toEqual(['-30.00'])
    },
  )

  test.each([
    ['<Sts>PDNG</Sts>', 'pending'],
    ['<Sts><Cd>PDNG</Cd></Sts>', 'pending'],
    ['<Sts><Cd>BOOK</Cd></Sts>', 'posted'],
    ['', 'posted'],
  ])('the status %s is %s', async (written, status) => {
    expect(await onlyRow(camt(entry('1', 'CRDT', '', written)))).toMatchObject({ status })
  })

  test('what is only for information is no booking, and nothing is lost by that', async () => {
    const { events } = await readBytes(camt(entry('1', 'CRDT', '', '<Sts>INFO</Sts>')))
    expect(transactionsOf(events)).toEqual([])
    expect(issuesOf(events)).toMatchObject([{ code: 'NO_BOOKING', line: 4 }])
  })

  test('a time keeps the day that is written', async () => {
    const text = camt(entry('1', 'CRDT', '')).replace(
      '<Dt>2026-01-02</Dt>',
      '<DtTm>2026-01-02T23:30:00-05:00</DtTm>',
    )
    expect(await onlyRow(text)).toMatchObject({ date: '2026-01-02' })
  })

  test('an account without a currency has that of its first amount', async () => {
    const { events } = await readBytes(camt(entry('1', 'CRDT', ''), '02', ''))
    expect(events[0]).toMatchObject({ kind: 'statement', account: { currency: 'EUR' } })
  })

  const balance = (code: string, amount: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>` +
    '<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-02</Dt></Dt></Bal>'
  const ofDay = (inside: string) =>
    camt(inside).replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt').replaceAll('Stmt>', 'Rpt>')
  const balancesOf = async (text: string) =>
    (await readBytes(text)).events.flatMap((event) =>
      event.kind === 'balance' ? [event.balance] : [],
    )

  test('a report of the day so far tells its last interim balance where it has no other', async () => {
    const interim = [balance('ITBD', '1'), balance('ITBD', '2'), balance('ITAV', '3')].join('')
    expect(await balancesOf(ofDay(interim))).toMatchObject([
      { type: 'closing', amount: '2.00', interim: true },
      { type: 'available', amount: '3.00', interim: true },
    ])
    expect(await balancesOf(ofDay(interim + balance('CLBD', '4')))).toMatchObject([
      { type: 'closing', amount: '4.00' },
      { type: 'available', amount: '3.00' },
    ])
    expect(await balancesOf(camt(interim))).toEqual([])
  })

  test('prefixed elements are read as others', async () => {
    const text = camt(entry('1', 'CRDT', '')).replaceAll(/<(\/?)(\w)/g, '<$1p:$2')
    expect(transactionsOf((await readBytes(text)).events)).toHaveLength(1)
  })
})

const mt940 = (lines: string) => `:20:START
:25:10020030/1234567
:28C:1/1
:60F:C260101EUR1000,00
${lines}
:62F:C260131EUR930,50
-`

describe('MT940', () => {
  test.each([
    ['C', '50.00'],
    ['D', '-50.00'],
    ['RC', '-50.00'],
    ['RD', '50.00'],
    ['CR', '50.00'],
  ])('the mark %s makes the amount %s', async (mark, amount) => {
    expect(await onlyRow(mt940(`:61:2601030103${mark}50,NMSCNONREF`))).toMatchObject({ amount })
  })

  test.each([
    ['2601020102', '2026-01-02', '2026-01-02'],
    ['2512310102', '2026-01-02', '2025-12-31'],
    ['2601021231', '2025-12-31', '2026-01-02'],
    ['260102', '2026-01-02', '2026-01-02'],
    ['260102    ', '2026-01-02', '2026-01-02'],
    ['2602300301', '2026-03-01', undefined],
  ])('%s is booked on %s', async (written, date, value) => {
    const found = await onlyRow(mt940(`:61:${written}D1,00NMSCNONREF`))
    expect([found?.date, found?.value_date]).toEqual([date, value])
  })

  test('subfields are put together again', async () => {
    const text = mt940(`:61:2601030103D50,00NMSCNONREF//B-77
:86:105?00LASTSCHRIFT?20EREF+abc-1?21SVWZ+Miete Januar 2026 f\xfcr ?22Wohnung 3?31DE021001001000
06820101?32Maren?33Talvik`)
    expect(await onlyRow(text)).toMatchObject({
      description: 'Maren Talvik Miete Januar 2026 für Wohnung 3',
      counterparty: 'Maren Talvik',
      references: {
        end_to_end_id: 'abc-1',
        bank_reference: 'B-77',
        counterparty_account: 'DE02100100100006820101',
      },
    })
  })

  test('a text that begins with a colon or names its parts is a text', async () => {
    const text = mt940(`:61:2601030103D50,00NMSCNONREF
:86:/IBAN/NL02ABNA0123456789/NAME/Fenna Dijkstra/REMI/Rent: March
/EREF/E-1`)
    expect(await onlyRow(text)).toMatchObject({
      description: 'Fenna Dijkstra Rent: March',
      references: { counterparty_account: 'NL02ABNA0123456789', end_to_end_id: 'E-1' },
    })
  })

  test('an envelope of SWIFT and several statements are read', async () => {
    const one = mt940(':61:260103D1,00NMSCNONREF')
    const text = `{1:F01ABCDEFGH}{2:O940ABCDEFGHN}{4:\r\n${one}}\r\n${one.replace('1234567', '7654321')}`
    const { events } = await readBytes(text)
    expect(issuesOf(events)).toEqual([])
    const accounts = events.flatMap((each) => (each.kind === 'statement' ? [each.account.id] : []))
    expect(accounts).toEqual(['1234567', '7654321'])
  })

  test('an MT942 needs no balances', async () => {
    const { events } = await readBytes(`:20:1
:25:DE02100100100006820101
:34F:EUR0,
:61:260103C1,00NMSCNONREF
-`)
    expect(issuesOf(events)).toEqual([])
    expect(events[0]).toMatchObject({
      account: { iban: 'DE02100100100006820101', currency: 'EUR' },
    })
  })
})

describe('what is no statement', () => {
  test.each([
    ['a zip', 'PK\x03\x04rest', /zip/],
    ['gzip', '\x1f\x8brest', /gzip/],
    ['a PDF', '%PDF-1.7', /PDF/],
    ['a web page', '<!DOCTYPE html><html>', /web page/],
    ['QIF', '!Type:Bank\nD1/2/26', /QIF/],
    ['nothing', ' \n', /empty/],
    ['other text', 'hello', /no OFX, CAMT or MT940/],
    ['other XML', '<?xml version="1.0"?><feed/>', /XML/],
    ['another message', '{1:F01X}{2:O103X}{4:\n:20:1\n:32A:1', /103/],
    [
      'a notification',
      camt('').replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'),
      /CAMT.054 repeats/,
    ],
    [
      'a document type in CAMT',
      camt('').replace('<Document', '<!DOCTYPE d [<!ENTITY a "aaaa">]><Document'),
      /document type/,
    ],
    ['a document type in OFX', `<!DOCTYPE OFX [<!ENTITY a "b">]>${ofx('')}`, /document type/],
  ])('%s is refused with what to do', async (_, bytes, told) => {
    expect(await readOrRefuse(Buffer.from(bytes, 'latin1'))).toMatch(told)
  })
})
