import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { fileInstitutionId } from '../../src/institution-list/built-in.ts'
import { WritesRejected } from '../../src/server/kernel/database.ts'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import { january, longStatement, writeStatement } from '../support/import-file.ts'
import { createVisitor, linkRequest } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
let origin = ''
beforeAll(async () => {
  const settings = { environment: 'production', reportDelayMs: 0 } as const
  service = await startService({ settings, publicUrl: () => origin })
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  await listBuiltInInstitutions(service.service)
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await newTenant(service)
})

async function toFile() {
  const request = { ...linkRequest, institution_id: fileInstitutionId }
  const { hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  const visitor = createVisitor(service)
  await visitor.open(new URL(hosted_link_url).pathname)
  return { visitor, page: await visitor.send() }
}

const january31 = { name: 'a.xml', bytes: writeStatement('CAMT.053 version 2', january) }
const long = { name: 'a.xml', bytes: writeStatement('CAMT.053 version 2', longStatement(3000)) }

const countOf = async (table: string): Promise<number> => {
  const sql = `select count(*) as count from ${table} where client_id = $1`
  const row = await service.service.database.single.first<{ count: number }>(sql, [tenant.clientId])
  return Number(row?.count)
}

/** Lets the transactions after so many fail, as on a full disk, while something is done. */
async function failAfter<Result>(good: number, work: () => Promise<Result>): Promise<Result> {
  const { database } = service.service
  const { transaction } = database
  let count = 0
  database.transaction = (...given) => {
    count += 1
    if (count <= good) return transaction(...given)
    return Promise.reject(new WritesRejected('disk full', 'the disk is full'))
  }
  const quiet = vi.spyOn(console, 'error').mockReturnValue()
  try {
    return await work()
  } finally {
    database.transaction = transaction
    quiet.mockRestore()
  }
}

test.each([0, 1, 2, 3])(
  'a disk that is full after %i writes leaves nothing half read',
  async (good) => {
    const { visitor, page } = await toFile()
    const shown = await failAfter(good, () => visitor.upload(long, { page }))
    expect([shown.status, shown.heading]).toEqual([503, 'The service is busy'])
    const again = await visitor.upload(january31, { page })
    expect(again.heading).toBe('About your account')
    expect(await countOf('items')).toBe(0)
  },
)

test('a disk that is full at the last step connects nothing, and then all of it', async () => {
  const { visitor } = await toFile()
  await visitor.upload(january31)
  const share = await visitor.send({ 'kind-0': 'checking' })
  const shown = await failAfter(0, () => visitor.send({ account: '0' }))
  expect([shown.status, await countOf('items'), await countOf('accounts')]).toEqual([503, 0, 0])
  const done = await visitor.send({ account: '0' }, { page: share })
  expect(done.heading).toBe('Your accounts are connected')
  expect([await countOf('items'), await countOf('staged_rows')]).toEqual([1, 0])
})

test('rows that were deleted for their age are asked for again, and leave no Item', async () => {
  const { visitor } = await toFile()
  await visitor.upload(long)
  const share = await visitor.send({ 'kind-0': 'checking' })
  await service.service.database.transaction((db) =>
    db.run('delete from staged_rows where client_id = $1', [tenant.clientId]),
  )
  const shown = await visitor.send({ account: '0' }, { page: share })
  expect([shown.status, shown.heading]).toEqual([200, 'Send a file from your bank'])
  expect(shown.html).toContain('no longer here')
  expect(await countOf('items')).toBe(0)
  expect((await visitor.upload(january31)).heading).toBe('About your account')
})

test('an upload that is cut in the middle leaves the question open', async () => {
  const { visitor, page } = await toFile()
  const [, turn = ''] = /name="turn" value="(\d+)"/.exec(page.html) ?? []
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  const head = [
    `POST ${page.path} HTTP/1.1`,
    `host: ${new URL(origin).host}`,
    'sec-fetch-site: same-origin',
    `cookie: ${cookie}`,
    'content-type: multipart/form-data; boundary=b',
    'content-length: 9000000',
    '\r\n',
  ].join('\r\n')
  const part = (name: string) => `--b\r\ncontent-disposition: form-data; ${name}\r\n\r\n`
  socket.write(`${head}${part('name="turn"')}${turn}\r\n`)
  socket.write(`${part('name="file"; filename="a.xml"')}${long.bytes.slice(0, 600_000)}`)
  await expect.poll(() => countOf('staged_rows')).toBeGreaterThan(0)
  socket.destroy()
  await expect.poll(() => countOf('staged_rows')).toBe(0)
  expect((await visitor.upload(january31, { page })).heading).toBe('About your account')
})

test('a file that is read more slowly than another one of the same person is dropped', async () => {
  const { visitor, page } = await toFile()
  const { database } = service.service
  const { transaction } = database
  const paused = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  onTestFinished(() => {
    database.transaction = transaction
    paused.resolve()
  })
  database.transaction = async (work, ...given) => {
    // Others run beside it, as those of jobs do.
    if (String(work).includes('insertStaged')) {
      reached.resolve()
      await paused.promise
    }
    return transaction(work, ...given)
  }
  const slow = visitor.upload(january31, { page })
  await reached.promise
  database.transaction = transaction
  const other = createVisitor(service)
  for (const [name, value] of visitor.cookies) other.cookies.set(name, value)
  expect((await other.upload(long, { page })).html).toContain('3000 transactions')
  const staged = await countOf('staged_rows')
  paused.resolve()
  expect((await slow).html).toContain('3000 transactions')
  expect(await countOf('staged_rows')).toBe(staged)
})
