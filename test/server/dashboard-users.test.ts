import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('dashboardUserList', () => {
  async function invite(tenant: Tenant, count: number) {
    const invited: { id: string }[] = []
    for (let index = 0; index < count; index += 1) {
      const email_address = `reviewer-${index}@lender.example.com`
      invited.push(await tenant.control('sandboxDashboardUserCreate', { email_address }))
    }
    return invited
  }
  const list = async (tenant: Tenant, cursor?: string | null) => {
    const body = cursor === undefined ? {} : { cursor }
    const { data, error } = await tenant.api.dashboardUserList(body)
    if (!data) throw new Error(JSON.stringify(error))
    return data
  }

  test('is empty at first', async () => {
    expect(await list(await service.tenant())).toMatchObject({
      dashboard_users: [],
      next_cursor: null,
    })
  })

  test('shows whom the sandbox API invited, as it said', async () => {
    const tenant = await service.tenant()
    const email_address = 'jonas.ihle@lender.example.com'
    const { id } = await tenant.control('sandboxDashboardUserCreate', { email_address })
    await tenant.control('sandboxDashboardUserCreate', { email_address, status: 'deactivated' })
    const { dashboard_users } = await list(tenant)
    expect(dashboard_users[0]).toEqual({
      id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      email_address,
      status: 'invited',
    })
    expect(dashboard_users[1]?.status).toBe('deactivated')
  })

  test('shows those of its own client only', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    await invite(tenant, 1)
    expect((await list(other)).dashboard_users).toEqual([])
  })

  test('gives pages of 20, the oldest first, each user once', async () => {
    const tenant = await service.tenant()
    const invited = await invite(tenant, 41)
    const first = await list(tenant, null)
    const second = await list(tenant, first.next_cursor)
    const third = await list(tenant, second.next_cursor)
    const pages = [first, second, third].map(({ dashboard_users }) => dashboard_users)
    expect(pages.map((page) => page.length)).toEqual([20, 20, 1])
    expect(third.next_cursor).toBeNull()
    expect(pages.flat().map(({ id }) => id)).toEqual(invited.map(({ id }) => id))
  })

  test('has no next page after exactly 20', async () => {
    const tenant = await service.tenant()
    await invite(tenant, 20)
    expect((await list(tenant)).next_cursor).toBeNull()
  })

  test('goes on after a cursor with those who came later', async () => {
    const tenant = await service.tenant()
    await invite(tenant, 21)
    const { next_cursor } = await list(tenant)
    await tenant.control('sandboxClockAdvance', { seconds: 60 })
    await invite(tenant, 1)
    expect((await list(tenant, next_cursor)).dashboard_users).toHaveLength(2)
  })

  test('rejects cursors that it did not give, or gave to another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    await invite(other, 21)
    await invite(tenant, 21)
    const foreign = (await list(other)).next_cursor
    const own = (await list(tenant)).next_cursor
    const cursors = [foreign!, `${own}=`, own!.slice(1), 'AA', '!', 'x'.repeat(1024)]
    const rejected = cursors.map(
      async (cursor) => (await tenant.api.dashboardUserList({ cursor })).error?.error_code,
    )
    expect(await Promise.all(rejected)).toEqual(Array(6).fill('INVALID_FIELD'))
  })
})

describe('sandboxDashboardUserCreate', () => {
  test.each([
    [{}, 'MISSING_FIELDS'],
    [{ email_address: 'nobody' }, 'INVALID_FIELD'],
    [{ email_address: 'a@lender.example.com', status: 'gone' }, 'INVALID_FIELD'],
    [{ email_address: 'a@lender.example.com', name: 'Ada' }, 'UNKNOWN_FIELDS'],
  ])('rejects %j with %s', async (body, code) => {
    const answer = await (await service.tenant()).post('/sandbox/dashboard_user/create', body)
    expect({ status: answer.status, code: answer.body['error_code'] }).toEqual({
      status: 400,
      code,
    })
  })
})
