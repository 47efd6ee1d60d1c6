import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkPicture } from '../../src/server/identity-verification/pictures/check-picture.ts'
import {
  type PictureName,
  pictureMs,
} from '../../src/server/identity-verification/pictures/of-attempt.ts'
import type { Picture } from '../../src/server/identity-verification/pictures/picture.ts'
import { samplePicture } from '../../src/server/identity-verification/pictures/samples.ts'
import { insertPicture } from '../../src/server/identity-verification/pictures/store.ts'
import { requireAttempt } from '../../src/server/identity-verification/store.ts'
import { pruneClient } from '../../src/server/worker/retention/prune.ts'
import {
  addTemplates,
  advance,
  all,
  as,
  maren,
  start,
  upload as store,
} from '../support/identity-verification-fixtures.ts'
import { chunk, pngOf } from '../support/pictures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
let now = Date.parse('2026-03-16T12:00:00Z')

beforeAll(async () => {
  service = await startService({ clock: () => now })
  await addTemplates(service)
})
beforeEach(async () => {
  tenant = await service.tenant()
})
afterAll(() => service.close())

const card = checkPicture(samplePicture('document')) as Picture
const face = checkPicture(samplePicture('selfie')) as Picture

const upload = (id: string, name: PictureName, picture: Picture) =>
  store(service, tenant, id, name, picture)

/** An attempt with two uploads of a document, the second with two sides, and a selfie. */
async function finished(outcome: 'success' | 'failed' = 'success') {
  const { id } = await start(tenant, { user: maren })
  await upload(id, 'original_front_1', card)
  await upload(id, 'original_front_2', card)
  await upload(id, 'original_back_2', { ...card, type: 'jpeg' })
  await upload(id, 'selfie_1', face)
  return advance(tenant, id, 'success', 'success', outcome)
}

async function get(url: string) {
  const response = await service.fetch(new Request(url))
  const body = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, body }
}

const countRows = (table: string): Promise<number> =>
  service.service.database.read(async (db) => {
    const sql = `select count(*) as count from ${table} where client_id = $1`
    return Number((await db.first<{ count: number }>(sql, [tenant.clientId]))?.count)
  })
const tables = ['identity_verification_pictures', 'identity_verification_picture_parts']
const countAll = () => Promise.all(tables.map(countRows))

describe('the pictures that a user uploaded', () => {
  test('are what an answer links to, upload by upload', async () => {
    const { documentary_verification } = await finished()
    expect(documentary_verification).toMatchObject({
      status: 'success',
      documents: [
        {
          attempt: 1,
          status: 'failed',
          images: {
            original_front: expect.stringContaining('/original_front_1.png?'),
            original_back: null,
            cropped_front: null,
            cropped_back: null,
            face: null,
          },
        },
        {
          attempt: 2,
          status: 'success',
          images: {
            original_front: expect.stringContaining('/original_front_2.png?'),
            original_back: expect.stringContaining('/original_back_2.jpg?'),
            cropped_front: null,
          },
        },
      ],
    })
    const { original_front } = documentary_verification!.documents[1]!.images
    const { status, headers, body } = await get(original_front!)
    expect([status, body]).toEqual([200, Buffer.from(card.bytes)])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
      'content-disposition': 'inline',
    })
    const back = await get(documentary_verification!.documents[1]!.images.original_back!)
    expect(back.headers.get('content-type')).toBe('image/jpeg')
  })

  test('are linked from the selfies as well', async () => {
    const { id } = await finished()
    const { selfie_check } = await advance(tenant, id, ['selfie_check', 'success'])
    expect(selfie_check?.selfies).toHaveLength(1)
    const { body } = await get(selfie_check!.selfies[0]!.capture.image_url!)
    expect(body).toEqual(Buffer.from(face.bytes))
  })

  test('are found again when they have several parts', async () => {
    const noise = Buffer.from(Array.from({ length: 1_200_000 }, (_, at) => (at * 7919) % 251))
    const large = checkPicture(pngOf(320, 240, { before: [chunk('IDAT', noise)] })) as Picture
    const { id } = await start(tenant, { user: maren })
    await upload(id, 'original_front_1', large)
    expect(await countAll()).toEqual([1, 5])
    const attempt = await advance(tenant, id, 'success', 'success', 'success')
    const url = attempt.documentary_verification!.documents[0]!.images.original_front!
    expect((await get(url)).body.equals(Buffer.from(large.bytes))).toBe(true)
  })

  test('are nowhere readable in the database', async () => {
    await finished()
    const rows = await service.service.database.read((db) =>
      db.all('select * from identity_verification_picture_parts where client_id = $1', [
        tenant.clientId,
      ]),
    )
    const stored = JSON.stringify(rows)
    const whole = Buffer.from(card.bytes)
    for (const part of [whole.subarray(0, 24), whole.subarray(60, 90)]) {
      expect(stored).not.toContain(part.toString('base64url'))
      expect(stored).not.toContain(part.toString('hex'))
    }
    expect(stored).not.toContain('IHDR')
  })

  test('open for no other picture: a part that was moved is rejected', async () => {
    const { documentary_verification } = await finished()
    await service.service.database.transaction(async (db) => {
      const parts = 'identity_verification_picture_parts'
      const whose = 'client_id = $1 and name = $2'
      const other = `select sealed from ${parts} where ${whose}`
      const row = await db.first<{ sealed: string }>(other, [tenant.clientId, 'original_front_1'])
      const moved = [tenant.clientId, 'original_front_2', row!.sealed]
      await db.run(`update ${parts} set sealed = $3 where ${whose}`, moved)
    })
    const [first, second] = documentary_verification!.documents
    expect((await get(first!.images.original_front!)).status).toBe(200)
    expect((await get(second!.images.original_front!)).status).toBe(500)
  })

  test('are shown for 60 seconds, and to nobody who changes the link', async () => {
    const { documentary_verification } = await finished()
    const url = documentary_verification!.documents[0]!.images.original_front!
    expect((await get(url.replace('front_1', 'front_2'))).status).toBe(404)
    expect((await get(url.replace('front_1', 'back_2'))).status).toBe(404)
    await tenant.control('sandboxClockAdvance', { seconds: 60 })
    expect((await get(url)).status).toBe(404)
  })

  test('are deleted after 90 days, and the answer says when', async () => {
    const { id } = await finished('failed')
    await advance(tenant, id, ['selfie_check', 'success'])
    now += pictureMs - 1000
    await pruneClient(service.service, tenant.clientId)
    expect(await countAll()).toEqual([4, 4])
    now += 1000
    const { data } = await tenant.api.identityVerificationList({ template_id: all })
    const [shown] = data?.identity_verifications ?? []
    expect(shown?.documentary_verification?.documents).toMatchObject([
      {
        images: { original_front: null },
        redacted_at: new Date(now).toISOString().replace('.000', ''),
      },
      { images: { original_front: null, original_back: null } },
    ])
    await pruneClient(service.service, tenant.clientId)
    expect(await countAll()).toEqual([0, 0])
    const selfie = shown?.selfie_check?.selfies[0]?.capture.image_url
    expect((await get(selfie!)).status).toBe(404)
  })

  test('go with a reset of their client, and of no other', async () => {
    await finished()
    const other = await service.tenant()
    await other.control('sandboxReset', {})
    expect(await countAll()).toEqual([4, 4])
    await tenant.control('sandboxReset', {})
    expect(await countAll()).toEqual([0, 0])
  })

  test('are not stored when the rest of the transaction fails', async () => {
    const { id } = await start(tenant)
    const failing = as(service, tenant, async (ctx) => {
      await insertPicture(ctx, await requireAttempt(ctx, id), 'selfie_1', face)
      throw new Error('the rest failed')
    })
    await expect(failing).rejects.toThrow('the rest failed')
    expect(await countAll()).toEqual([0, 0])
  })
})
