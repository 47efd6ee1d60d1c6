import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addTemplates,
  all,
  createUser,
  errorOf,
  invalid,
  kyc,
  maren,
  start,
} from '../support/identity-verification-fixtures.ts'
import { startService, startWorld, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant

beforeAll(async () => {
  service = await startService()
  await addTemplates(service)
})
beforeEach(async () => {
  tenant = await service.tenant()
})
afterAll(() => service.close())

describe('identityVerificationList', () => {
  const list = async (body: object, of = tenant) => {
    const { data, error } = await of.api.identityVerificationList({ template_id: all, ...body })
    if (error) throw new Error(JSON.stringify(error))
    return data
  }
  const idsOf = async (body: object, of = tenant) =>
    (await list(body, of)).identity_verifications.map(({ id }) => id)

  test('gives the attempts at a template, newest first', async () => {
    const one = await start(tenant, { client_user_id: 'one' })
    const two = await start(tenant, { client_user_id: 'two', user: maren })
    await start(tenant, { client_user_id: 'two', template_id: kyc })
    const answer = await list({})
    expect(answer.next_cursor).toBeNull()
    const { request_id: _, ...second } = two
    expect(answer.identity_verifications[0]).toEqual(second)
    expect(answer.identity_verifications.map(({ id }) => id)).toEqual([two.id, one.id])
  })

  test('gives those of a file newest first, too, wherever they stand in it', async () => {
    const world = await startWorld()
    const answer = await list({}, world.client)
    const times = answer.identity_verifications.map(({ created_at }) => created_at)
    expect(times.length).toBeGreaterThan(5)
    expect(times).toEqual([...times].sort().reverse())
    await world.close()
  })

  test('keeps those of one second in their order, over pages, and retries after the first', async () => {
    const identity_verifications = Array.from({ length: 45 }, (_, index) => ({
      identity_verification_id: `idv_AtOneSecond${String(index).padStart(2, '0')}`,
      client_user_id: index > 42 ? 'twice' : `user-${index}`,
      template_id: all,
      // The two of one user are in the wrong order, the rest is of one second.
      created_at: ['-1 days 10:00', '-2 days 10:00'][index - 43] ?? '-3 days 10:00',
    }))
    const folder = mkdtempSync(join(tmpdir(), 'attempts-'))
    const fixture = join(folder, 'world.json')
    const own = { client_id: 'lender', secret: 'lender-secret', identity_verifications }
    writeFileSync(fixture, JSON.stringify({ clients: [own] }))
    const world = await startWorld({}, { fixture })
    const lender = world.tenantOf('lender', 'lender-secret')
    const first = await list({}, lender)
    const second = await list({ cursor: first.next_cursor }, lender)
    const third = await list({ cursor: second.next_cursor }, lender)
    const found = [first, second, third].flatMap((page) => page.identity_verifications)
    const [later, earlier, ...rest] = found
    expect([later?.id, earlier?.id]).toEqual(['idv_AtOneSecond43', 'idv_AtOneSecond44'])
    expect([later?.previous_attempt_id, earlier?.previous_attempt_id]).toEqual([earlier?.id, null])
    const ids = identity_verifications.map((one) => one.identity_verification_id)
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(0, 43).reverse())
    expect(third.next_cursor).toBeNull()
    await world.close()
    rmSync(folder, { recursive: true })
  })

  test('filters by either id of the user, and by both', async () => {
    const user_id = await createUser(tenant, 'recorded')
    const ours = await start(tenant, { client_user_id: 'recorded', user_id })
    const plain = await start(tenant, { client_user_id: 'plain' })
    expect(await idsOf({ client_user_id: 'plain' })).toEqual([plain.id])
    expect(await idsOf({ user_id })).toEqual([ours.id])
    expect(await idsOf({ user_id: { user_id } })).toEqual([ours.id])
    expect(await idsOf({ user_id: null })).toEqual([plain.id, ours.id])
    expect(await idsOf({ user_id, client_user_id: 'recorded' })).toEqual([ours.id])
    expect(await idsOf({ user_id, client_user_id: 'plain' })).toEqual([])
  })

  test('rejects an unknown template', async () => {
    await start(tenant)
    const answer = await tenant.api.identityVerificationList({ template_id: 'idvtmp_unknown' })
    expect(errorOf(answer)).toMatchObject({
      error_code: 'INVALID_FIELD',
      error_message: '`template_id` must name one of your templates',
    })
  })

  test('is empty for a user that is unknown, and for another client', async () => {
    await start(tenant)
    expect(await idsOf({ client_user_id: 'nobody' })).toEqual([])
    expect(await idsOf({ user_id: 'usr_nobody' })).toEqual([])
    expect(await idsOf({}, await service.tenant())).toEqual([])
  })

  test('rejects a malformed user id', async () => {
    const answer = await tenant.api.identityVerificationList({ template_id: all, user_id: 'x' })
    expect(errorOf(answer)).toMatchObject({ error_code: 'INVALID_USER_ID' })
  })

  test('goes on after each page of twenty, without what has come meanwhile', async () => {
    const users = Array.from({ length: 41 }, (_, index) => `user-${index}`)
    for (const client_user_id of users.slice(0, 20)) await start(tenant, { client_user_id })
    expect((await list({})).next_cursor).toBeNull()
    for (const client_user_id of users.slice(20)) await start(tenant, { client_user_id })
    const first = await list({})
    await start(tenant, { client_user_id: 'late' })
    const second = await list({ cursor: first.next_cursor })
    const third = await list({ cursor: second.next_cursor })
    const pages = [first, second, third].map(({ identity_verifications }) =>
      identity_verifications.map((attempt) => attempt.client_user_id),
    )
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 1])
    expect(pages.flat()).toEqual(users.reverse())
    expect(third.next_cursor).toBeNull()
  })

  test('rejects a cursor that is not of this list', async () => {
    for (let index = 0; index < 21; index += 1) {
      await start(tenant, { client_user_id: `user-${index}` })
    }
    const { next_cursor } = await list({})
    const refuse = async (body: object, of = tenant) =>
      errorOf(await of.api.identityVerificationList({ template_id: all, ...body }))
    expect(next_cursor).toEqual(expect.any(String))
    const other = await service.tenant()
    for (const [body, of] of [
      [{ cursor: 'nonsense' }, tenant],
      [{ cursor: `${next_cursor}A` }, tenant],
      [{ cursor: next_cursor, template_id: kyc }, tenant],
      [{ cursor: next_cursor, client_user_id: 'user-1' }, tenant],
      [{ cursor: next_cursor }, other],
    ] as const) {
      expect(await refuse(body, of)).toEqual(invalid('cursor'))
    }
  })
})
