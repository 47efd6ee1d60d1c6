import { bodyLimitOf } from '../../../../src/server/pipeline/body-limits.ts'
import { headerTricks, type Trick, tricks } from './hostile.ts'
import type { Body, Subject } from './subjects.ts'
import type { Sent } from './target.ts'
import type { Tenant } from './tenants.ts'

/** How a call says who sends it. */
export const credentialWays = [
  'headers',
  'body',
  'one in each',
  'wrong secret',
  'another tenant’s secret',
  'no secret',
  'none',
  'two that differ',
  'secret of objects',
  'basic',
] as const
export type CredentialWay = (typeof credentialWays)[number]

/** A call as it was planned and filled. */
export interface Call {
  subject: Subject
  /** The place of its tenant. */
  who: number
  /** The version that it names; undefined for none. */
  version: string | undefined
  body: Body
  credentials: CredentialWay
  bearer: string | undefined
  trick: string | undefined
  headerTrick: string | undefined
  /** As a form, where the operation takes one. */
  form: boolean
}

export interface Written {
  sent: Sent
  /** What a careful reader of the text finds; undefined where it is no object of JSON. */
  read: Body | undefined
  /** Whether it comes from who it says, in the usual way. */
  plain: boolean
}

export function writeCall(call: Call, tenant: Tenant, other: Tenant): Written {
  const { subject, credentials, version, bearer, headerTrick } = call
  const { headers: own, fields } = credentialsOf(credentials, tenant, other, subject.oauth)
  const body = { ...fields, ...call.body }
  const asForm = call.form && subject.mediaTypes.length > 1
  const trick = call.trick === undefined ? undefined : tricks[call.trick]
  const text = asForm ? toForm(body) : writeBody(call.body, fields, trick)
  const headers: Record<string, string> = {
    'content-type': asForm ? 'application/x-www-form-urlencoded' : 'application/json',
    ...own,
    ...(version === undefined ? {} : { 'service-version': version }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(headerTrick === undefined ? {} : headerTricks[headerTrick]),
  }
  const sent = { method: 'POST', path: subject.path, headers, body: text }
  const usual = credentials === 'headers' || credentials === 'body' || credentials === 'one in each'
  const named = ['client_id', 'secret', 'client_secret', 'public_key'].some((name) =>
    Object.hasOwn(call.body, name),
  )
  const isRead = Buffer.from(text).length <= bodyLimitOf(subject.id)
  const isUsual = usual && !named && trick === undefined && headerTrick === undefined
  const plain = isUsual && isRead && !asForm
  return { sent, read: asForm ? body : readBack(text), plain }
}

function writeBody(own: Body, fields: Body, trick: Trick | undefined): string | Uint8Array {
  // By definition, since a name may be `__proto__`.
  const whole = Object.fromEntries([...Object.entries(fields), ...Object.entries(own)])
  const text = JSON.stringify(whole)
  return trick ? trick(text) : text
}

const toForm = (body: Body): string => {
  const pairs = Object.entries(body).map(([name, value]): [string, string] => [
    wellFormed(name),
    wellFormed(typeof value === 'string' ? value : JSON.stringify(value)),
  ])
  return new URLSearchParams(pairs).toString()
}

const wellFormed = (text: string): string => text.toWellFormed()

function readBack(text: string | Uint8Array): Body | undefined {
  try {
    const decoded =
      typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text)
    // Readers may skip the mark of the byte order, and the service's does.
    const value: unknown = JSON.parse(decoded.replace(/^\ufeff/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Body)
      : undefined
  } catch {
    return undefined
  }
}

function credentialsOf(
  way: CredentialWay,
  { clientId, secret }: Tenant,
  other: Tenant,
  oauth: boolean,
): { headers: Record<string, string>; fields: Body } {
  const id = { 'service-client-id': clientId }
  const key = { 'service-secret': secret }
  switch (way) {
    case 'headers':
      return { headers: { ...id, ...key }, fields: {} }
    case 'body':
      return { headers: {}, fields: { client_id: clientId, secret } }
    case 'one in each':
      return { headers: id, fields: { secret } }
    case 'wrong secret':
      return { headers: { ...id, 'service-secret': `${secret}x` }, fields: {} }
    case 'another tenant’s secret':
      return { headers: { ...id, 'service-secret': other.secret }, fields: {} }
    case 'no secret':
      return { headers: id, fields: {} }
    case 'none':
      return { headers: {}, fields: {} }
    case 'two that differ':
      return { headers: { ...id, ...key }, fields: { client_id: other.clientId } }
    case 'secret of objects':
      return { headers: id, fields: { secret: { $ne: '' } } }
    default: {
      const basic = Buffer.from(`${clientId}:${secret}`).toString('base64')
      return oauth
        ? { headers: { authorization: `Basic ${basic}` }, fields: {} }
        : { headers: { ...id, ...key, authorization: `Basic ${basic}` }, fields: {} }
    }
  }
}

/** Whether a store can hold all of a body, and a walker through it gets to its end. */
export function isSound(value: unknown, levels = 100): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  return Object.entries(value).every(
    ([name, member]) => isSound(name) && isSound(member, levels - 1),
  )
}
