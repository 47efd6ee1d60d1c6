import { afterAll, beforeAll, expect, test } from 'vitest'
import { importText, january, writeStatement } from '../support/import-file.ts'
import { newAccessToken, newTenant } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

// Who owns an imported account, where a file tells it.

let service: TestService
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
})
afterAll(() => service.close())

const owner = (city: string) =>
  `<Ownr><Nm>Maren Talvik</Nm><PstlAdr><StrtNm>Juniper Lane</StrtNm><TwnNm>${city}</TwnNm></PstlAdr><CtctDtls><MobNb>+49-151</MobNb></CtctDtls></Ownr>`

const camt = (month: string, ownr: string) =>
  writeStatement('CAMT.053 version 8', january)
    .replaceAll('2026-01-', `2026-${month}-`)
    .replace('</Acct>', `${ownr}</Acct>`)

test('a file with owners gives identity, and the latest statement counts', async () => {
  const tenant = await newTenant(service)
  const order = {
    client_id: tenant.clientId,
    kind: { type: 'depository', subtype: 'checking' },
  }
  const { item_id } = await importText(service, writeStatement('OFX 1.x', january), order)
  const access_token = await newAccessToken(service, item_id)
  const identity = () => tenant.api.identityGet({ access_token })
  expect(await identity().then(({ error }) => error?.error_code)).toBe('PRODUCTS_NOT_SUPPORTED')

  const cities = async () => {
    const { accounts, item } = await identity().orThrow()
    expect([item.products, item.consented_products]).toEqual([
      ['assets', 'identity', 'transactions'],
      ['assets', 'identity', 'transactions'],
    ])
    return accounts.flatMap((one) =>
      one.owners.flatMap(({ addresses }) => addresses.map(({ data }) => data.city)),
    )
  }
  await importText(service, camt('03', owner('Larkspur')), order)
  expect(await cities()).toEqual(['Larkspur'])
  await importText(service, camt('01', owner('Old Town')), order)
  expect(await cities()).toEqual(['Larkspur'])
  await importText(service, camt('05', owner('Fern Hill')), order)
  expect(await cities()).toEqual(['Fern Hill'])
  await importText(service, camt('07', ''), order)
  const { accounts } = await identity().orThrow()
  const other = { ...january, account: { iban: '', bank: '37040044', number: '77001122' } }
  const { accounts: [ofOther] = [] } = await importText(
    service,
    writeStatement('OFX 1.x', other),
    order,
  )
  // The account without owners is left out, and may not be asked for.
  expect((await identity().orThrow()).accounts).toEqual(accounts)
  const account_ids = accounts.map(({ account_id }) => account_id)
  const both = [...account_ids, ofOther?.account_id ?? '']
  const { error } = await tenant.api.identityGet({ access_token, options: { account_ids: both } })
  expect(error?.error_code).toBe('PRODUCTS_NOT_SUPPORTED')
  const chosen = await tenant.api.identityGet({ access_token, options: { account_ids } }).orThrow()
  expect(chosen.accounts).toEqual(accounts)
  expect(accounts.flatMap((one) => one.owners)).toEqual([
    {
      names: ['Maren Talvik'],
      phone_numbers: [{ data: '+49-151', type: 'mobile', primary: true }],
      emails: [],
      addresses: [
        {
          data: {
            street: 'Juniper Lane',
            city: 'Fern Hill',
            region: null,
            postal_code: null,
            country: null,
          },
        },
      ],
    },
  ])
})

test('owners that change are a webhook, and those that are told first are none', async () => {
  const webhook = 'https://lender.example.com/webhooks'
  const tenant = await newTenant(service, { webhook })
  const order = {
    client_id: tenant.clientId,
    kind: { type: 'depository', subtype: 'checking' },
  }
  const told = async () => {
    const rows = await service.service.database.read((db) =>
      db.all<{ body: string }>(
        "select body from webhook_deliveries where client_id = $1 and body like '%IDENTITY%'",
        [tenant.clientId],
      ),
    )
    return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
  }
  // A new Item, an account whose owners no file had named, and a new account.
  await importText(service, writeStatement('OFX 1.x', january), order)
  const first = await importText(service, camt('03', owner('Larkspur')), order)
  const joint = { ...january, account: { iban: 'DE02120300000000202051', bank: '', number: '' } }
  const twice = writeStatement('CAMT.053 version 8', joint).replace(
    /<Stmt>.*<\/Stmt>/s,
    (text) =>
      text.replace('</Acct>', `${owner('Old Town')}</Acct>`) +
      text.replaceAll('2026-01-', '2026-02-').replace('</Acct>', `${owner('Fern Hill')}</Acct>`),
  )
  await importText(service, twice, { ...order, partial: true })
  await importText(service, camt('03', owner('Larkspur')), order)
  expect(await told()).toEqual([])
  await importText(service, camt('05', owner('Fern Hill')), { ...order, dryRun: true })
  expect(await told()).toEqual([])
  await importText(service, camt('05', owner('Fern Hill')), order)
  const account_id = first.accounts[0]?.account_id ?? ''
  expect(await told()).toEqual([
    {
      webhook_type: 'IDENTITY',
      webhook_code: 'DEFAULT_UPDATE',
      item_id: first.item_id,
      account_ids_with_updated_identity: { [account_id]: ['ADDRESSES'] },
      error: null,
      environment: 'production',
    },
  ])
  await importText(service, camt('01', owner('Old Town')), order)
  expect(await told()).toHaveLength(1)
})
