import { describe, expect, test } from 'vitest'
import { toDocumentaryVerification } from '../../src/server/identity-verification/documentary-verification.ts'
import { toRiskCheck } from '../../src/server/identity-verification/risk-check.ts'
import type { StepState } from '../../src/server/identity-verification/step.ts'
import { unknownUser } from '../../src/server/identity-verification/subject.ts'
import { abroad, ids, maren, step, subjectOf } from '../support/identity-subjects.ts'

// What checks of an attempt show, from what is known of the user and what the step came to.

describe('a risk check', () => {
  const check = (found: StepState['found'], user = maren, id?: string) =>
    toRiskCheck(subjectOf(user, id), step(found))

  test.each([
    ['success', 'low', 'genuine', 1, 15],
    ['pending_review', 'medium', 'neutral', 40, 60],
    ['failed', 'high', 'risky', 80, 99],
  ] as const)(
    'that came to %s shows a risk that is %s everywhere',
    (found, level, users, least, most) => {
      for (const id of ids) {
        const { status, behavior, email, phone, devices, network, identity_abuse_signals } = check(
          found,
          maren,
          id,
        )
        expect(status).toBe(found)
        expect(behavior).toEqual({
          user_interactions: users,
          fraud_ring_detected: 'no',
          bot_detected: level === 'high' ? 'yes' : 'no',
          risk_level: level,
        })
        const { synthetic_identity, stolen_identity } = identity_abuse_signals!
        expect(synthetic_identity).toMatchObject({
          first_party_synthetic_fraud: { risk_level: level },
          third_party_synthetic_fraud: { risk_level: level },
        })
        for (const part of [
          email,
          phone,
          devices[0],
          network,
          synthetic_identity,
          stolen_identity,
        ]) {
          expect(part?.risk_level).toBe(level)
        }
        for (const { score } of [synthetic_identity!, stolen_identity!]) {
          expect(score).toBeGreaterThanOrEqual(least)
          expect(score).toBeLessThanOrEqual(most)
        }
      }
    },
  )

  test('looks at an address and a number only where the user gave one', () => {
    const { email, phone } = check('success', unknownUser)
    expect([email, phone]).toEqual([null, null])
  })

  test('finds no similar face and computes no trust index', () => {
    expect(check('failed')).toMatchObject({ facial_duplicates: [], trust_index_score: null })
  })

  test('finds a device on an anonymizing network where it failed, and nowhere else', () => {
    for (const id of ids) {
      const [device] = check('failed', maren, id).devices
      expect(['tor', 'vpn']).toContain(device?.ip_proxy_type)
      expect(device?.ip_spam_list_count).toBeGreaterThanOrEqual(2)
      expect(device?.ip_spam_list_count).toBeLessThanOrEqual(6)
      expect(device?.factors).toEqual([expect.stringMatching(/^The .+\.$/)])
      expect(device?.ip_timezone_offset).toMatch(/^-0[4-7]:00:00$/)
    }
    const [device] = check('success').devices
    expect(device).toMatchObject({
      ip_proxy_type: 'none_detected',
      ip_spam_list_count: 0,
      factors: [],
    })
  })

  test('gives reasons in words for what is not well', () => {
    const [low, medium, high] = (['success', 'pending_review', 'failed'] as const).map((found) =>
      check(found),
    )
    expect(low?.network?.factors).toEqual([])
    for (const { network } of [medium!, high!]) {
      expect(network?.factors).toEqual([expect.stringMatching(/^Other attempts .+\.$/)])
    }
    expect(low?.phone?.factors).toEqual(['The number has been in use for years.'])
    expect(medium?.phone?.factors).toEqual(['The number is new.'])
    expect(low?.email?.factors).toEqual([])
    expect(high?.email?.factors).toEqual([expect.stringMatching(/^The domain .+\.$/)])
  })

  test('knows services that use an address or a number, but none of a thrown-away one', () => {
    const found = ids.map((id, index) => {
      const user = { ...maren, email_address: `a${index}@example.com` }
      return check('success', user, id)
    })
    const known = ['atlassian', 'discord', 'github', 'komoot', 'strava']
    for (const channel of ['email', 'phone'] as const) {
      const all = found.flatMap((risk) => risk[channel]!.linked_services)
      expect([...new Set(all)].sort()).toEqual(known)
      expect(all.length).toBeLessThan(ids.length * known.length)
    }
    const failed = check('failed')
    expect([failed.email?.linked_services, failed.phone?.linked_services]).toEqual([[], []])
  })

  test('shows the same history of the same address, which makes sense', () => {
    const emails = ids.map((_, index) => {
      const email_address = `b${index}@domain-${index}.example`
      return check('success', { ...maren, email_address }).email!
    })
    for (const email of emails) {
      const { breach_count, first_breached_at: first, last_breached_at: last } = email
      expect(email).toMatchObject({
        is_deliverable: 'yes',
        domain_is_disposable: 'no',
        top_level_domain_is_suspicious: 'no',
      })
      expect(email.domain_registered_at).toMatch(/^(19|20)\d\d-0[1-9]-14$/)
      expect([email.domain_is_free_provider, email.domain_is_custom].sort()).toEqual(['no', 'yes'])
      if (breach_count === 0) expect([first, last]).toEqual([null, null])
      if (breach_count === 1) expect(last).toBe(first)
      if (breach_count === 2) expect(last! > first!).toBe(true)
      if (first) expect(first).toMatch(/^201[4-8]-0[1-9]-1\d$/)
    }
    expect(new Set(emails.map(({ breach_count }) => breach_count))).toEqual(new Set([0, 1, 2]))
    expect(new Set(emails.map(({ domain_is_custom }) => domain_is_custom)).size).toBe(2)
    expect(check('success', maren, 'idv_2').email).toEqual(check('success', maren, 'idv_3').email)
    expect(check('failed').email?.domain_is_disposable).toBe('yes')
  })
})

describe('the e-mail part of a risk check', () => {
  const look = (email_address: string, user = maren) => {
    const { email } = toRiskCheck(subjectOf({ ...user, email_address }), step('success'))
    return [email?.is_edu, email?.includes_date_of_birth, email?.name]
  }

  test.each([
    ['Maren.Talvik@example.com', 'no', 'no', 'match'],
    ['maren1991@college.edu', 'yes', 'yes', 'partial_match'],
    ['borrower@1991.ac.uk', 'yes', 'no', 'no_match'],
  ])('tells of %s what it says of its user', (address, ...expected) => {
    expect(look(address)).toEqual(expected)
  })

  test('compares with what is known alone', () => {
    expect(look('a@example.com', unknownUser)).toEqual(['no', 'no_data', 'no_data'])
  })
})

describe('a document that is shown', () => {
  const show = (found: StepState['found'], status?: StepState['status'], user = maren) =>
    toDocumentaryVerification(subjectOf(user), step(found, status))
  const link = (name: string) => `https://pictures.example/${name}`

  test('is genuine where the step was passed', () => {
    const { status, documents } = show('success')
    expect([status, documents.length]).toEqual(['success', 1])
    const [{ images, analysis, ...document } = {} as never] = documents
    expect(document).toMatchObject({ status: 'success', attempt: 1, redacted_at: null })
    expect(document.extracted_data?.issue_date).toMatch(/^202[2-5]-07-23$/)
    expect(images).toEqual({
      original_front: link('original_front_1'),
      original_back: link('original_back_1'),
      cropped_front: link('cropped_front_1'),
      cropped_back: link('cropped_back_1'),
      face: link('face_1'),
    })
    expect(analysis).toMatchObject({
      authenticity: 'match',
      image_quality: 'high',
      extracted_data: {
        name: 'match',
        date_of_birth: 'match',
        expiration_date: 'not_expired',
        issuing_country: 'match',
      },
      human_review: null,
      aamva_verification: { is_verified: true, height: 'no_data', last_name: 'match' },
    })
    expect(new Set(Object.values(analysis.fraud_analysis_details!))).toEqual(new Set(['success']))
    expect(analysis.image_quality_details).toEqual({
      glare_check: 'success',
      dimensions_check: 'success',
      blur_check: 'success',
    })
  })

  test('is compared only with what the user gave', () => {
    const [document] = show('success', 'success', unknownUser).documents
    expect(document?.analysis.extracted_data).toMatchObject({
      name: 'no_data',
      date_of_birth: 'no_data',
    })
  })

  test('fails after two pictures on which nothing can be read', () => {
    const { status, documents } = show('failed')
    expect(status).toBe('failed')
    expect(documents.map(({ attempt, status: own }) => [attempt, own])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'failed'],
    ])
    const [blurred, glaring, last] = documents
    for (const [index, unread] of [blurred, glaring].entries()) {
      expect(unread).toMatchObject({
        images: {
          original_front: link(`original_front_${index + 1}`),
          original_back: null,
          face: null,
        },
        extracted_data: null,
        redacted_at: null,
        analysis: {
          authenticity: 'no_data',
          image_quality: 'low',
          extracted_data: null,
          human_review: null,
        },
      })
      expect(unread?.analysis).toMatchObject({
        fraud_analysis_details: null,
        aamva_verification: null,
      })
      expect([unread?.images.cropped_front, unread?.images.cropped_back]).toEqual([null, null])
    }
    expect(blurred?.analysis.image_quality_details).toMatchObject({
      blur_check: 'failed',
      glare_check: 'success',
    })
    expect(glaring?.analysis.image_quality_details).toMatchObject({
      blur_check: 'success',
      glare_check: 'failed',
    })
    expect(last).toMatchObject({
      images: { face: link('face_3') },
      analysis: { authenticity: 'no_match', image_quality: 'medium', aamva_verification: null },
    })
    expect(last?.analysis.fraud_analysis_details).toMatchObject({
      image_composition_check: 'failed',
      integrity_check: 'failed',
      detail_check: 'success',
    })
  })

  test.each([
    ['manually_approved', { status: 'success' }, 'manually_approved'],
    ['manually_rejected', { status: 'failed' }, 'failed'],
  ] as const)('tells that a reviewer decided: %s', (status, human_review, own) => {
    const shown = show('failed', status)
    expect(shown.status).toBe(status)
    expect(shown.documents.at(-1)).toMatchObject({ status: own, analysis: { human_review } })
  })

  test('has no back and no records of a state where it is a passport', () => {
    const [document] = show('success', 'success', abroad).documents
    expect(document?.images).toMatchObject({ original_back: null, cropped_back: null })
    expect(document?.analysis.aamva_verification).toBeNull()
  })
})
