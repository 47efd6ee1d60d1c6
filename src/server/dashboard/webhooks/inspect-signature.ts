import type { DashboardSignatureCheck } from '../../../../generated/dashboard/closed.ts'
import { decodeBase64url, readObject } from '../../../webhooks/base64url.ts'
import { checkHash, readBody, readEvent } from '../../../webhooks/body.ts'
import { type Claims, checkSignature, parseClaims } from '../../../webhooks/claims.ts'
import { WebhookVerificationError } from '../../../webhooks/error.ts'
import { type PublicKey, pickKey } from '../../../webhooks/keys.ts'
import { checkAge, checkKeyTime } from '../../../webhooks/times.ts'
import { readToken, type Token } from '../../../webhooks/token.ts'

/** What a receiver got. */
interface Inspected {
  /** The value of the header. */
  header: string
  body: string
  /** In real ms. Undefined where the age is not to be checked. */
  receivedAt: number | undefined
  findKey(kid: string): Promise<PublicKey | undefined>
}

interface Inspection {
  checks: DashboardSignatureCheck[]
  key: PublicKey | undefined
  /** Undefined where the token has none of the right form. */
  claims: Claims | undefined
}

type Check = DashboardSignatureCheck['check']

const passed: Readonly<Record<Check, string>> = {
  token: 'The header holds a JWT of the right form.',
  key: 'The client has the key that the token names.',
  signature: 'The key has signed the token.',
  claims: 'The token has a time and a hash of the body.',
  key_time: 'The key had not expired when the token was signed.',
  age: 'The token was signed at most 5 minutes before.',
  body: 'The hash in the token is the hash of the body.',
  event: 'The body is an event in JSON.',
}
const unreadable = 'The token cannot be read.'

/**
 * Makes each check of the published verifier, also after one that fails. A person who looks for a
 * mistake needs all results, and a receiver needs only the first one.
 */
export async function inspectSignature(asked: Inspected): Promise<Inspection> {
  const checks: DashboardSignatureCheck[] = []

  async function run<Found>(check: Check, work: () => Found): Promise<Awaited<Found> | undefined> {
    try {
      const found = await work()
      checks.push({ check, result: 'passed', reason: null, message: passed[check] })
      return found
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      const { reason, message } = error
      checks.push({ check, result: 'failed', reason, message })
      return undefined
    }
  }
  /** Makes a check whose input may be missing. */
  async function runWith<Input, Found>(
    check: Check,
    input: Input | undefined,
    missing: string,
    work: (input: Input) => Found,
  ): Promise<Awaited<Found> | undefined> {
    if (input !== undefined) return run(check, () => work(input))
    checks.push({ check, result: 'not_checked', reason: null, message: missing })
    return undefined
  }

  const { header, receivedAt } = asked
  const body = readBody(asked.body)
  const token: Token | undefined = await run('token', () => readToken(toHeaders(header)))
  const key = token && (await asked.findKey(token.kid))
  const usable = await runWith('key', token, unreadable, ({ kid }) =>
    pickKey(key ? [key] : [], kid),
  )
  const keyless = token ? 'The key is missing.' : unreadable
  await runWith('signature', token && usable, keyless, (one) => checkSignature(token as Token, one))
  const claims = await runWith('claims', token, unreadable, parseClaims)
  const timeless = token ? 'The token has no time.' : unreadable
  const signed = claims && usable && { claims, usable }
  await runWith('key_time', signed, claims ? keyless : timeless, (of) =>
    checkKeyTime(of.claims.iat, of.usable),
  )
  const received = claims && receivedAt !== undefined ? { claims, receivedAt } : undefined
  const undated = claims ? 'Enter when the webhook was received.' : timeless
  await runWith('age', received, undated, (of) => checkAge(of.claims.iat, of.receivedAt))
  const hashless = token ? 'The token has no hash.' : unreadable
  await runWith('body', claims, hashless, ({ hash }) => checkHash(body, hash))
  await run('event', () => readEvent(body))
  return { checks, key, claims }
}

const name = 'service-verification'
const toHeaders = (value: string) => ({ [name]: value })

/** The value of the header in a text that may hold its name, or other headers as well. */
export function findHeader(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const named = lines.filter((line) => line.toLowerCase().startsWith(`${name}:`))
  const values = named.map((line) => line.slice(name.length + 1).trim())
  return values.length > 0 ? values.join() : text.trim()
}

/** The first two parts of a token as JSON, each as far as it can be decoded. */
export function decodeToken(header: string): { head: string | null; claims: string | null } {
  const [head = null, claims = null] = header.split('.').slice(0, 2).map(toJson)
  return { head, claims }
}

function toJson(part: string): string | null {
  try {
    const value = readObject(decodeBase64url(part))
    return value === undefined ? null : JSON.stringify(value, null, 2)
  } catch {
    return null
  }
}
