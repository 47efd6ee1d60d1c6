import { readBundle } from '../../scripts/contract/contract.ts'
import { atMostOne, type Body, type BodyRule, onlyIf } from './body-rules.ts'

const steps = [
  ...['accept_tos', 'verify_sms', 'kyc_check', 'documentary_verification', 'selfie_check'],
  ...['watchlist_screening', 'risk_check'],
]
const stepStatuses = [
  ...['active', 'success', 'failed', 'waiting_for_prerequisite', 'not_applicable', 'skipped'],
  ...['expired', 'canceled', 'pending_review', 'manually_approved', 'manually_rejected'],
]
const undecided = [
  ...['active', 'waiting_for_prerequisite', 'not_applicable', 'skipped', 'expired', 'canceled'],
  'pending_review',
]
const notBegun = ['waiting_for_prerequisite', 'not_applicable', 'skipped']

/** A US address has a ZIP code of five digits. */
const american = (schema: string): BodyRule => ({
  schema,
  starts: [{}],
  fields: { country: ['US', 'GB'], postal_code: ['97031', '9703', '970311', 'x97031', 'AB1 2CD'] },
  holds: ({ country, postal_code }) => country !== 'US' || /^\d{5}$/.test(postal_code),
})

const idNumber = (schema: string): BodyRule => ({
  schema,
  starts: [{}],
  fields: {
    type: ['us_ssn', 'us_ssn_last_4', 'gb_none', 'us_passport', 'it_cf'].filter(
      (type) => type.startsWith('us_ssn') || type === 'it_cf',
    ),
    value: ['123456789', '1234', '12345', '12345678', 'A123456789', '1234567890'],
  },
  holds: ({ type, value }) => {
    if (type === 'us_ssn') return /^\d{9}$/.test(value)
    return type !== 'us_ssn_last_4' || /^\d{4}$/.test(value)
  },
})

function completeAddress({ street, street2, city, region, postal_code, country }: Body): boolean {
  if ((street === undefined) !== (city === undefined)) return false
  if (street !== undefined)
    return country !== 'US' || (region !== undefined && /^\d{5}$/.test(postal_code))
  return street2 === undefined && region === undefined && postal_code === undefined
}

/** What a step found is there once it was taken, and agrees with how it ended. */
function stepsFit(body: Body): boolean {
  const { documentary_verification, selfie_check, kyc_check, risk_check } = body
  const of = body['steps'] as Record<string, string>
  const isOver = { kyc_check, selfie_check, documentary_verification }
  const early = Object.entries(isOver).some(
    ([name, found]) => found !== null && undecided.includes(of[name]!),
  )
  if (early || (risk_check !== null && notBegun.includes(of['risk_check']!))) return false
  if (body['watchlist_screening_id'] !== null && notBegun.includes(of['watchlist_screening']!))
    return false
  const ended = ['success', 'failed', 'manually_approved', 'manually_rejected']
  const status = of['documentary_verification']!
  return (
    documentary_verification === null ||
    !ended.includes(status) ||
    documentary_verification.status === status
  )
}

const { schemas } = readBundle().components
const exampleOf = (name: string): unknown => schemas[name]?.examples?.[0]

const statuses = ['active', 'success', 'failed', 'expired', 'canceled', 'pending_review']

export const identityRules: BodyRule[] = [
  american('IdentityVerificationAddress'),
  american('UserAddressInput'),
  idNumber('IdentityVerificationIdNumber'),
  idNumber('IdentityVerificationIdNumberInput'),
  {
    schema: 'IdentityVerificationAddressInput',
    starts: [
      {},
      {
        street: undefined,
        street2: undefined,
        city: undefined,
        region: undefined,
        postal_code: undefined,
      },
      { country: 'GB', postal_code: 'AB1 2CD' },
    ],
    fields: {
      street: ['1 A Road', undefined],
      street2: ['Apt 4', undefined],
      city: ['Larkspur', undefined],
      region: ['OR', undefined],
      postal_code: ['97031', '970311', 'x97031', undefined],
      country: ['US', 'GB'],
    },
    holds: completeAddress,
  },
  {
    schema: 'IdentityVerificationCreateRequest',
    starts: [{ is_shareable: true, template_id: 't', gave_consent: true }],
    fields: {
      user: [{}, null, undefined],
      user_id: ['usr_1', undefined],
      client_user_id: ['a', undefined],
    },
    holds: ({ user, user_id, client_user_id }) =>
      atMostOne(user, user_id) && (user_id ?? client_user_id) !== undefined,
  },
  {
    schema: 'IdentityVerificationSteps',
    starts: [Object.fromEntries(steps.map((step) => [step, 'skipped']))],
    fields: Object.fromEntries(steps.map((step) => [step, stepStatuses])),
    holds: (body) => steps.filter((step) => body[step] === 'active').length < 2,
  },
  {
    schema: 'SelfieCapture',
    starts: [{}],
    fields: {
      image_url: ['https://example.com/a.jpeg', null],
      video_url: ['https://example.com/a.mp4', null],
    },
    holds: ({ image_url, video_url }) => (image_url === null) !== (video_url === null),
  },
  {
    schema: 'IdentityVerification',
    starts: [
      {
        ...Object.fromEntries(steps.map((step) => [`steps.${step}`, 'success'])),
        documentary_verification: null,
        selfie_check: null,
        kyc_check: null,
        risk_check: null,
        watchlist_screening_id: null,
      },
    ],
    fields: {
      status: statuses,
      completed_at: ['2026-03-15T10:02:11Z', null],
      'steps.documentary_verification': stepStatuses,
      documentary_verification: [
        null,
        ...['success', 'failed', 'manually_approved', 'manually_rejected'].map((status) => ({
          status,
          documents: [],
        })),
      ],
      'steps.kyc_check': stepStatuses,
      kyc_check: [null, exampleOf('KycCheck')],
      'steps.risk_check': stepStatuses,
      risk_check: [null, exampleOf('RiskCheck')],
      'steps.selfie_check': stepStatuses,
      selfie_check: [null, { status: 'success', selfies: [] }],
      'steps.watchlist_screening': stepStatuses,
      watchlist_screening_id: [null, 'scr_1'],
    },
    holds: (body) => {
      const open = ['active', 'pending_review'].includes(body['status'])
      if (steps.filter((step) => body['steps'][step] === 'active').length > 1) return false
      return open === (body['completed_at'] === null) && stepsFit(body)
    },
  },
  {
    schema: 'IdentityCreationResult',
    starts: [{}, { error_type: 'INVALID_INPUT', error_code: 'X', error_message: 'no' }],
    fields: {
      result: ['SUCCEEDED', 'FAILED', 'NOT_PROVIDED'],
      error_type: ['INVALID_INPUT', null],
      error_code: ['INVALID_USER_IDENTITY_DATA', null],
      error_message: ['no', null],
    },
    holds: ({ result, error_type, error_code, error_message }) =>
      [error_type, error_code, error_message].every(
        (told) => (told !== null) === (result === 'FAILED'),
      ),
  },
  {
    schema: 'OauthTokenRequest',
    starts: [
      { grant_type: 'client_credentials' },
      { grant_type: 'refresh_token', refresh_token: 'r' },
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        audience: 'client-1',
        subject_token: 't',
        subject_token_type: 'urn:service:params:tokens:user',
      },
    ],
    fields: {
      grant_type: [
        ...['client_credentials', 'refresh_token'],
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
      refresh_token: ['r', undefined],
      audience: [
        'client-1',
        'client-1,client-2',
        'urn:service:params:cra-partner:experian',
        undefined,
      ],
      subject_token: ['t', undefined],
      subject_token_type: [
        ...['urn:service:params:tokens:user', 'urn:service:params:oauth:user-token', undefined],
        'urn:service:params:credit:multi-user',
      ],
    },
    holds: ({ grant_type, refresh_token, audience, subject_token, subject_token_type }) => {
      if (grant_type === 'refresh_token' && refresh_token === undefined) return false
      const exchange = [audience, subject_token, subject_token_type]
      if (grant_type.endsWith('token-exchange') && exchange.includes(undefined)) return false
      const isUser = /:(tokens:user|oauth:user-token)$/.test(subject_token_type ?? '')
      return onlyIf(isUser && audience !== undefined, audience === 'client-1')
    },
  },
]
