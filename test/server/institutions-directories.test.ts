import { describe, expect, test } from 'vitest'
import { createDirectories } from '../../src/server/institutions/directory-cache.ts'
import { textsOf } from '../../src/server/institutions/institution-texts.ts'
import type { Context } from '../../src/server/kernel/context.ts'

const plain = { optional: false, auth: false, paymentInitiation: false }

/** A database with one shared institution, which counts how often all of them are read. */
function createWorld() {
  const world = { state: 'one', readings: 0, found: 0, failing: false }
  const entry = {
    client_id: '',
    institution_id: 'ins_1',
    search_name: 'tide',
    products: '[]',
    country_codes: '["US"]',
    routing_numbers: '[]',
    oauth: 0,
    matches_auth: 0,
  }
  const all = async (sql: string, values: readonly string[]) => {
    const { state } = world
    if (!sql.includes('as shared')) {
      world.readings += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (world.failing) throw new Error('a statement failed')
      return [{ ...entry }]
    }
    if (values.includes('ins_1')) world.found += 1
    const found = values.includes('ins_1')
      ? { ...entry, name: `Tide ${state}`, dtc_numbers: null, status: null }
      : {}
    return [{ client_id: null, institution_id: null, ...found, shared: state, own: null }]
  }
  const first = async (sql: string, values: readonly string[]) => (await all(sql, values))[0]
  const ctx = { client: { client_id: 'client' }, db: { all, first } } as unknown as Context
  const directories = createDirectories()
  const filter = { countryCodes: ['US'], products: [], oauth: undefined }
  const search = async (shown = plain) => {
    const texts = await directories.search(ctx, 'tide', filter as never, 10, textsOf(shown))
    return texts.map((text) => JSON.parse(text).name)
  }
  return { world, search }
}

describe('the institutions that searches look at', () => {
  test('are read once for all who ask at the same time', async () => {
    const { world, search } = createWorld()
    expect(await Promise.all([search(), search(), search()])).toEqual([
      ['Tide one'],
      ['Tide one'],
      ['Tide one'],
    ])
    expect(world.readings).toBe(1)
  })

  test('are read again when they have changed', async () => {
    const { world, search } = createWorld()
    await search()
    world.state = 'two'
    await Promise.all([search(), search()])
    expect(world.readings).toBe(2)
  })

  test('are told as they are, though their texts are kept', async () => {
    const { world, search } = createWorld()
    expect([await search(), await search()]).toEqual([['Tide one'], ['Tide one']])
    expect(world.found).toBe(1)
    world.state = 'two'
    expect(await search()).toEqual(['Tide two'])
    expect(world.found).toBe(2)
    await search({ ...plain, optional: true })
    expect(world.found).toBe(3)
  })

  test('are read by the others when the one who reads them fails', async () => {
    const { world, search } = createWorld()
    world.failing = true
    const answers = Promise.allSettled([search(), search()])
    setTimeout(() => {
      world.failing = false
    }, 30)
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })
})
