import { describe, expect, test } from 'vitest'
import { toKycCheck } from '../../src/server/identity-verification/kyc-check.ts'
import { toSelfieCheck } from '../../src/server/identity-verification/selfie-check.ts'
import type { StepState } from '../../src/server/identity-verification/step.ts'
import {
  afterStep,
  type KnownUser,
  toKnownUser,
  unknownUser,
} from '../../src/server/identity-verification/subject.ts'
import { abroad, maren, step, subjectOf } from '../support/identity-subjects.ts'

// How the user compares with records and documents, and what the session learns of them.

describe('a comparison with the records', () => {
  const check = (found: StepState['found'], user: KnownUser) =>
    toKycCheck(subjectOf(user), step(found))

  test.each([
    ['success', 'match'],
    ['failed', 'no_match'],
  ] as const)('that came to %s shows what is a %s', (found, result) => {
    expect(check(found, maren)).toEqual({
      status: found,
      address: {
        summary: result,
        po_box: 'no',
        type: 'residential',
        street: result,
        city: 'match',
        region: 'match',
        postal_code: result,
        international_details: null,
      },
      name: { summary: 'match', given_name: 'match', family_name: 'match' },
      date_of_birth: { summary: result, day: result, month: result, year: result },
      id_number: { summary: result },
      phone_number: { summary: 'match', area_code: 'match' },
    })
  })

  test('has nothing to say of what was not given', () => {
    const none = 'no_input'
    expect(check('success', unknownUser)).toMatchObject({
      address: {
        summary: none,
        po_box: 'no_data',
        type: 'no_data',
        street: none,
        city: none,
        region: none,
        postal_code: none,
        international_details: null,
      },
      name: { summary: none },
      date_of_birth: { summary: none },
      id_number: { summary: none },
      phone_number: { summary: none },
    })
  })

  test('takes addresses abroad apart', () => {
    expect(check('failed', abroad).address.international_details).toEqual({
      building: 'no_data',
      county: 'no_data',
      district: 'no_data',
      house_number: 'no_match',
      subpremise: 'no_match',
      thoroughfare: 'no_match',
    })
    const plain = { ...abroad, address: { ...abroad.address!, street2: null } }
    expect(check('success', plain).address.international_details).toMatchObject({
      subpremise: 'no_input',
    })
  })

  test.each([
    ['PO Box 12', 'yes'],
    ['P.O. Box 12', 'yes'],
    ['p. o.  box 12', 'yes'],
    ['POBox 12', 'yes'],
    ['12 Po Boxwood Lane', 'no'],
    ['12 Tempo Box Street', 'no'],
  ])('knows a post box when it sees one: %s', (street, po_box) => {
    const user = { ...maren, address: { ...maren.address!, street } }
    const type = po_box === 'yes' ? 'no_data' : 'residential'
    expect(check('success', user).address).toMatchObject({ po_box, type })
  })
})

describe('a selfie', () => {
  const check = (found: StepState['found'], document: StepState['found']) =>
    toSelfieCheck(subjectOf(maren), step(found), step(document))

  test('is a whole and living face, like that of the document', () => {
    const { status, selfies } = check('success', 'success')
    expect([status, selfies.length]).toEqual(['success', 1])
    expect(selfies[0]).toMatchObject({
      status: 'success',
      attempt: 1,
      capture: { image_url: 'https://pictures.example/selfie_1', video_url: null },
      analysis: { document_comparison: 'match', liveness_check: 'success' },
    })
    expect(new Set(Object.values(selfies[0]!.analysis.facial_analysis!))).toEqual(
      new Set(['success']),
    )
  })

  test('fails as a picture of a picture, and then as another face', () => {
    const { status, selfies } = check('failed', 'success')
    expect(status).toBe('failed')
    const seen = selfies.map(({ status: own, attempt, analysis }) => ({
      own,
      attempt,
      ...analysis,
      facial_analysis: analysis.facial_analysis?.jaw ?? null,
    }))
    expect(seen).toEqual([
      {
        own: 'failed',
        attempt: 1,
        document_comparison: 'no_input',
        liveness_check: 'failed',
        facial_analysis: null,
      },
      {
        own: 'failed',
        attempt: 2,
        document_comparison: 'no_match',
        liveness_check: 'failed',
        facial_analysis: 'failed',
      },
    ])
    expect(selfies[1]?.analysis.facial_analysis).toMatchObject({
      nose: 'success',
      left_brow: 'failed',
    })
  })

  test.each([null, 'failed'] as const)(
    'has no portrait to be compared with where the document came to %s',
    (document) => {
      const found = [...check('failed', document).selfies, ...check('success', document).selfies]
      const compared = found.map(({ analysis }) => analysis.document_comparison)
      expect(compared).toEqual(['no_input', 'no_input', 'no_input'])
    },
  )
})

describe('what is known of a user', () => {
  test('is null where the request leaves it out', () => {
    expect(toKnownUser(undefined)).toEqual(unknownUser)
    expect(toKnownUser({})).toEqual(unknownUser)
    const given = toKnownUser({ address: { country: 'US' } })
    const nothing = { street: null, street2: null, city: null, region: null, postal_code: null }
    expect(given.address).toEqual({ ...nothing, country: 'US' })
  })

  test('is what the request says', () => {
    const { address, ...rest } = maren
    const { street2, ...lines } = address!
    expect(toKnownUser({ ...rest, address: lines } as never)).toEqual({
      ...maren,
      address: { ...address, street2: null },
    })
    expect(toKnownUser({ ip_address: null }).ip_address).toBeNull()
  })

  test('grows by what the session asks for, and by nothing that was known', () => {
    const grown = (name: 'accept_tos' | 'verify_sms' | 'kyc_check', user: KnownUser) =>
      afterStep(user, 'idv_1', name)
    expect(grown('kyc_check', maren)).toEqual(maren)
    const seen = grown('accept_tos', unknownUser)
    expect(seen).toEqual({
      ...unknownUser,
      ip_address: expect.stringMatching(/^[\d.]+$|^2001:db8:/),
    })
    expect(grown('verify_sms', unknownUser).phone_number).toMatch(/^\+141555501\d\d$/)
    const person = grown('kyc_check', unknownUser)
    expect(person).toMatchObject({
      phone_number: null,
      name: { given_name: expect.stringMatching(/./), family_name: expect.stringMatching(/./) },
      date_of_birth: expect.stringMatching(/^(19|20)\d\d-[01]\d-[0-2]\d$/),
      address: { country: 'US', street2: null },
      id_number: { type: 'us_ssn', value: expect.stringMatching(/^9\d{8}$/) },
    })
    expect(grown('kyc_check', unknownUser)).toEqual(person)
  })

  test('has no invented number or street abroad', () => {
    const only = { ...unknownUser, address: { ...abroad.address!, street: null } }
    const { address, id_number } = afterStep(only, 'idv_1', 'kyc_check')
    expect([address, id_number]).toEqual([only.address, null])
    const home = { ...unknownUser, address: { ...maren.address!, street: null } }
    expect(afterStep(home, 'idv_1', 'kyc_check').address?.street).toMatch(/./)
  })
})
