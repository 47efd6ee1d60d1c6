import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addTemplates,
  advance,
  all,
  maren,
  start,
} from '../support/identity-verification-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

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

const passed = ['success', 'success', 'success', 'success', 'success', 'success'] as const

describe('the results of an attempt', () => {
  test('are complete once every step is passed', async () => {
    const { id } = await start(tenant, { user: maren })
    const attempt = await advance(tenant, id, ...passed)
    expect(attempt.verify_sms).toMatchObject({
      status: 'success',
      verifications: [{ status: 'success', phone_number: maren.phone_number, attempt: 1 }],
    })
    expect(attempt.kyc_check).toMatchObject({
      status: 'success',
      address: { summary: 'match', po_box: 'no', type: 'residential', international_details: null },
      name: { summary: 'match' },
      date_of_birth: { summary: 'match' },
      id_number: { summary: 'match' },
      phone_number: { summary: 'match', area_code: 'match' },
    })
    expect(attempt.documentary_verification).toMatchObject({
      status: 'success',
      documents: [
        {
          status: 'success',
          attempt: 1,
          extracted_data: {
            category: 'drivers_license',
            issuing_country: 'US',
            issuing_region: 'OR',
            date_of_birth: maren.date_of_birth,
            name: maren.name,
            address: { street: '18 Juniper Lane Apt 4', postal_code: '97031' },
          },
          analysis: { authenticity: 'match', aamva_verification: { is_verified: true } },
        },
      ],
    })
    expect(attempt.selfie_check).toMatchObject({
      status: 'success',
      selfies: [{ analysis: { document_comparison: 'match', liveness_check: 'success' } }],
    })
    expect(attempt.risk_check).toMatchObject({
      status: 'success',
      behavior: { user_interactions: 'genuine' },
      email: { is_deliverable: 'yes' },
      phone: { risk_level: 'low' },
      identity_abuse_signals: { synthetic_identity: { risk_level: 'low' } },
    })
    expect(attempt.watchlist_screening_id).toMatch(/^scr_/)
    expect(attempt.user.ip_address).not.toBeNull()
  })

  test('are null until a step has come to one', async () => {
    const { id } = await start(tenant)
    const results = { kyc_check: null, risk_check: null, selfie_check: null, verify_sms: null }
    expect(await advance(tenant, id, 'pending_review')).toMatchObject(results)
    expect(await advance(tenant, id, 'manually_approved')).toMatchObject(results)
    const later = await advance(tenant, id, 'skipped', 'skipped', 'skipped', 'skipped')
    expect(later).toMatchObject({ ...results, watchlist_screening_id: null })
    const reviewed = await advance(tenant, id, 'pending_review')
    expect(reviewed.risk_check).toMatchObject({ status: 'pending_review' })
  })

  test('tell a code that was wrong three times', async () => {
    const { id } = await start(tenant, { user: maren })
    const { verify_sms } = await advance(tenant, id, 'failed')
    expect(verify_sms).toMatchObject({
      status: 'failed',
      verifications: [{ status: 'failed', solve_attempt_count: 3 }],
    })
  })

  test('tell what does not match the records', async () => {
    const { id } = await start(tenant, { user: maren })
    const { kyc_check } = await advance(tenant, id, 'success', 'failed')
    expect(kyc_check).toMatchObject({
      status: 'failed',
      address: { summary: 'no_match' },
      date_of_birth: { summary: 'no_match' },
      id_number: { summary: 'no_match' },
    })
  })

  test('tell three uploads of a document before it has failed', async () => {
    const { id } = await start(tenant, { user: maren })
    const { documentary_verification } = await advance(tenant, id, 'success', 'success', 'failed')
    expect(documentary_verification?.status).toBe('failed')
    const seen = documentary_verification?.documents.map((document) => [
      document.attempt,
      document.status,
      document.extracted_data === null,
      document.analysis.authenticity,
      document.images.original_front !== null,
    ])
    expect(seen).toEqual([
      [1, 'failed', true, 'no_data', true],
      [2, 'failed', true, 'no_data', true],
      [3, 'failed', false, 'no_match', true],
    ])
  })

  test('show a document that a reviewer accepted', async () => {
    const { id } = await start(tenant, { user: maren })
    await advance(tenant, id, 'success', 'success', 'failed')
    const step = ['documentary_verification', 'manually_approved'] as const
    const { documentary_verification } = await advance(tenant, id, [...step])
    expect(documentary_verification?.status).toBe('manually_approved')
    expect(documentary_verification?.documents.at(-1)).toMatchObject({
      status: 'manually_approved',
      analysis: { human_review: { status: 'success' } },
    })
  })

  test('compare a selfie with a document only where there is one', async () => {
    const { id } = await start(tenant, { user: maren })
    const failed = await advance(tenant, id, 'success', 'success', 'skipped', 'failed')
    expect(failed.selfie_check?.status).toBe('failed')
    expect(failed.selfie_check?.selfies.at(-1)?.analysis).toMatchObject({
      document_comparison: 'no_input',
      liveness_check: 'failed',
    })
  })

  test('show a passport of a user who lives abroad', async () => {
    const address = { street: '3 Chapel Rise', city: 'Larkmoor', postal_code: 'LF4 7QT' }
    const user = { ...maren, address: { ...address, country: 'GB' } }
    const { id } = await start(tenant, { user })
    const attempt = await advance(tenant, id, 'success', 'success', 'success')
    expect(attempt.documentary_verification?.documents[0]).toMatchObject({
      images: { original_back: null, face: expect.any(String) },
      extracted_data: { category: 'passport', issuing_country: 'GB', issuing_region: null },
      analysis: { aamva_verification: null },
    })
    expect(attempt.kyc_check?.address).toMatchObject({
      region: 'no_input',
      international_details: { house_number: 'match' },
    })
  })

  test('hold what the session asked for when nothing was known', async () => {
    const { id } = await start(tenant)
    const asked = await advance(tenant, id, 'success')
    expect(asked.user).toMatchObject({ phone_number: expect.any(String), name: null })
    const { user, kyc_check } = await advance(tenant, id, 'success')
    expect(user).toMatchObject({
      name: { given_name: expect.any(String) },
      address: { country: 'US', street: expect.any(String) },
      id_number: { type: 'us_ssn' },
      email_address: null,
    })
    expect(kyc_check).toMatchObject({ name: { summary: 'match' } })
  })
})

describe('the links to pictures', () => {
  const get = async (url: string) => {
    const response = await service.fetch(new Request(url))
    const body = Buffer.from(await response.arrayBuffer())
    return { status: response.status, type: response.headers.get('content-type'), body }
  }
  const front = async (of = tenant) => {
    const { data } = await of.api.identityVerificationList({ template_id: all })
    const attempt = data?.identity_verifications.at(-1)
    return attempt?.documentary_verification?.documents[0]?.images.original_front as string
  }

  beforeEach(async () => {
    const { id } = await start(tenant, { user: maren })
    await advance(tenant, id, 'success', 'success', 'success', 'success')
  })

  test('give a PNG below the address of the service', async () => {
    const url = await front()
    expect(url.startsWith(`${service.url}/images/`)).toBe(true)
    const { status, type, body } = await get(url)
    expect({ status, type }).toEqual({ status: 200, type: 'image/png' })
    expect(body.subarray(1, 4).toString()).toBe('PNG')
    const [width, height] = [body.readUInt32BE(16), body.readUInt32BE(20)]
    const pixels = inflateSync(body.subarray(41, 41 + body.readUInt32BE(33)))
    expect(pixels).toHaveLength((width + 1) * height)
  })

  test('work for every picture of an answer', async () => {
    const { data } = await tenant.api.identityVerificationList({ template_id: all })
    const [attempt] = data?.identity_verifications ?? []
    const { images } = attempt!.documentary_verification!.documents[0]!
    const selfie = attempt!.selfie_check!.selfies[0]!.capture.image_url
    const answers = await Promise.all([...Object.values(images), selfie].map((url) => get(url!)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  })

  test('work for 60 seconds by the clock of their client, and not longer', async () => {
    const url = await front()
    await tenant.control('sandboxClockAdvance', { seconds: 55 })
    expect((await get(url)).status).toBe(200)
    await tenant.control('sandboxClockAdvance', { seconds: 5 })
    expect(await get(url)).toMatchObject({ status: 404, type: expect.stringMatching(/json/) })
    expect((await get(await front())).status).toBe(200)
  })

  test.each([
    ['another moment', /expires=\d+/, 'expires=99999999999999'],
    ['another picture', 'original_front', 'original_back'],
    ['another attempt', /idv_\w+/, 'idv_AAAAAAAAAAAAAA'],
    ['another client', /client=\w+/, 'client=sandbox-client'],
    ['another signature', /signature=[\w-]{4}/, 'signature=AAAA'],
    ['no signature', /&signature=.*/, ''],
    ['a malformed name', 'original_front', '%E0%A4%A'],
  ])('reject %s', async (_change, from, to) => {
    const url = await front()
    expect(url.replace(from, to)).not.toBe(url)
    expect((await get(url.replace(from, to))).status).toBe(404)
  })

  test('do not show another attempt of the same client', async () => {
    const other = await start(tenant, { client_user_id: 'other' })
    const url = await front()
    const changed = url.replace(/idv_\w+/, other.id)
    expect([await get(url), await get(changed)].map(({ status }) => status)).toEqual([200, 404])
  })

  test('end with the attempt itself', async () => {
    const url = await front()
    await service.service.database.transaction((db) =>
      db.run('delete from identity_verifications where client_id = $1', [tenant.clientId]),
    )
    expect((await get(url)).status).toBe(404)
  })
})
