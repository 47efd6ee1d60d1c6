import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  InstitutionList,
  ListedInstitution,
} from '../../src/institution-list/listed-institution.ts'
import {
  applyInstitutions,
  listBuiltInInstitutions,
} from '../../src/server/operator/apply-institutions.ts'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import { importText, january, writeStatement } from '../support/import-file.ts'
import { newAccessToken, newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// Institutions that operators list, as every process on the data shows them.

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
  await listBuiltInInstitutions(service.service)
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await newTenant(service)
})

const harbor: ListedInstitution = {
  institution_id: 'ins_harbor',
  name: 'Harbor Quay Bank',
  country_codes: ['DE'],
  products: ['assets', 'transactions'],
  primary_color: '#0f6b5c',
  url: 'https://harbor.example',
  connector: 'file',
  settings: {},
}
const bridge: ListedInstitution = {
  ...harbor,
  institution_id: 'ins_bridge',
  name: 'Our bridge',
  connector: 'simplefin',
  settings: { hosts: ['env:BRIDGE'] },
}

const listOf = (...institutions: ListedInstitution[]): InstitutionList => ({
  institutions,
  builtIn: true,
})
const apply = (list: InstitutionList) =>
  applyInstitutions(service.service, list, { file: 'i.yaml', actor: 'service:SIGHUP' })

async function search(query: string): Promise<string[]> {
  const request = { query, country_codes: ['DE' as const] }
  const { institutions } = await tenant.api.institutionsSearch(request).orThrow()
  return institutions.map(({ institution_id, name }) => `${institution_id} ${name}`)
}

const ofx = writeStatement('OFX 1.x', january)
const importAt = (institution_id: string, more: object = {}) =>
  importText(service, ofx, { client_id: tenant.clientId, institution_id, ...more })

test('without a file there are two, in every country', async () => {
  expect(await search('file from my bank')).toEqual(['ins_100000 A file from my bank'])
  expect(await search('simplefin')).toEqual(['ins_100001 SimpleFIN'])
  const done = await importAt('ins_100000')
  expect(done.accounts).toMatchObject([{ new: 1 }])
})

describe('a list', () => {
  test('is what clients find, with every field', async () => {
    expect(await apply(listOf(harbor, bridge))).toMatchObject({
      listed: 4,
      added: ['ins_harbor', 'ins_bridge'],
    })
    expect(await search('harbor quay')).toEqual(['ins_harbor Harbor Quay Bank'])
    const { institution } = await tenant.api
      .institutionsGetById({
        institution_id: 'ins_harbor',
        country_codes: ['DE'],
        options: { include_optional_metadata: true },
      })
      .orThrow()
    const { settings: _, connector: __, ...shown } = harbor
    expect(institution).toMatchObject({ ...shown, oauth: false, logo: null })
  })

  test('that is read again changes nothing, and what differs is noted', async () => {
    await apply(listOf(harbor, bridge))
    expect(await apply(listOf(harbor, bridge))).toBeUndefined()
    const renamed = { ...harbor, name: 'Quay Bank of the Harbor' }
    expect(await apply(listOf(renamed))).toEqual({
      listed: 3,
      added: [],
      changed: ['ins_harbor'],
      removed: ['ins_bridge'],
    })
    expect(await search('harbor')).toEqual(['ins_harbor Quay Bank of the Harbor'])
    const command = { audit: 'list', after: { at: '', audit_id: '' }, count: 500 } as const
    const done = await runOperatorCommand(
      service.service,
      { ...command, actor: 'test' },
      (async function* () {})(),
    )
    const entries = 'entries' in done ? done.entries : []
    expect(entries.at(-1)).toMatchObject({
      actor: 'service:SIGHUP',
      action: 'institutions.read',
      client_id: '',
      subject: 'i.yaml',
      details: { listed: 3, changed: { count: 1 }, removed: { count: 1, ids: ['ins_bridge'] } },
    })
  })

  test('stays where a process starts without a file', async () => {
    await apply(listOf(harbor))
    await listBuiltInInstitutions(service.service)
    expect(await search('harbor')).toEqual(['ins_harbor Harbor Quay Bank'])
  })

  test('can leave the built-in ones out, and replace one of them', async () => {
    await apply({ institutions: [harbor], builtIn: false })
    expect(await search('simplefin')).toEqual([])
    await expect(importAt('ins_100000')).rejects.toThrow('is no longer on the list')
    await apply(listOf({ ...harbor, institution_id: 'ins_100000', name: 'Upload a statement' }))
    expect(await search('upload')).toEqual(['ins_100000 Upload a statement'])
    expect(await search('simplefin')).toEqual(['ins_100001 SimpleFIN'])
  })

  test('is of thousands as quickly', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({
      ...harbor,
      institution_id: `ins_many_${index}`,
      name: `Branch ${index}`,
    }))
    expect(await apply(listOf(...many))).toMatchObject({ listed: 1002 })
    expect(await search('branch 731')).toEqual(['ins_many_731 Branch 731'])
    expect(await apply(listOf(harbor))).toMatchObject({ listed: 3 })
    expect(await search('branch 731')).toEqual([])
  })
})

describe('an institution that is no longer on the list', () => {
  test('is not found for a new Item, and its Items go on', async () => {
    await apply(listOf(harbor))
    const { item_id } = await importAt('ins_harbor')
    const access_token = await newAccessToken(service, item_id)
    await apply(listOf())

    expect(await search('harbor')).toEqual([])
    await expect(importAt('ins_harbor', { client_user_id: 'ben' })).rejects.toThrow(
      'the institution ins_harbor (Harbor Quay Bank) is no longer on the list',
    )
    const link = await tenant.post('/link/token/create', {
      client_name: 'A',
      language: 'en',
      country_codes: ['DE'],
      user: { client_user_id: 'ben' },
      products: ['transactions'],
      institution_id: 'ins_harbor',
    })
    expect(link).toMatchObject({ status: 400, body: { error_code: 'INVALID_INSTITUTION' } })

    const again = await importAt('ins_harbor')
    expect(again).toMatchObject({ item_id, accounts: [{ new: 0, known: 1 }] })
    const { item } = await tenant.api.itemGet({ access_token }).orThrow()
    expect(item).toMatchObject({ institution_id: 'ins_harbor', institution_name: harbor.name })
    const request = { institution_id: 'ins_harbor', country_codes: ['DE' as const] }
    const { institution } = await tenant.api.institutionsGetById(request).orThrow()
    expect(institution.name).toBe(harbor.name)
    const update = await tenant.api
      .linkTokenCreate({
        client_name: 'A',
        language: 'en',
        country_codes: ['DE'],
        user: { client_user_id: 'ada' },
        access_token,
      })
      .orThrow()
    const { link_token } = update
    const { metadata } = await tenant.api.linkTokenGet({ link_token }).orThrow()
    expect(metadata.institution_data).toMatchObject({ institution_id: 'ins_harbor' })

    expect(await apply(listOf(harbor))).toMatchObject({ added: ['ins_harbor'] })
    expect(await importAt('ins_harbor', { client_user_id: 'ben' })).toHaveProperty('public_token')
  })
})

describe('an import', () => {
  test('is rejected where another connector serves the institution', async () => {
    await apply(listOf(bridge))
    await expect(importAt('ins_bridge')).rejects.toThrow(
      'the institution ins_bridge (Our bridge) is served by the connector simplefin and takes no files: its users connect on the link page',
    )
    await expect(importAt('ins_none')).rejects.toThrow('there is no institution ins_none: ')
  })

  test('has a format that the institution accepts, for a new Item and for an old one', async () => {
    await apply(listOf({ ...harbor, settings: { formats: ['ofx', 'csv'] } }))
    const { item_id } = await importAt('ins_harbor')
    await apply(listOf({ ...harbor, settings: { formats: ['camt'] } }))
    const message = 'accepts camt, and the file is ofx'
    await expect(importAt('ins_harbor', { client_user_id: 'ben' })).rejects.toThrow(message)
    const item = { item_id: item_id ?? '', client_user_id: '' }
    await expect(importAt('ins_harbor', item)).rejects.toThrow(message)
  })

  test('gives a new Item the products of the list', async () => {
    await apply(listOf({ ...harbor, products: ['transactions'] }))
    const { item_id } = await importAt('ins_harbor')
    const access_token = await newAccessToken(service, item_id)
    const { item } = await tenant.api.itemGet({ access_token }).orThrow()
    expect([item.products, item.available_products]).toEqual([['transactions'], []])
  })
})
