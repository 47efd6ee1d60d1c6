import type { Body } from './subjects.ts'
import { start } from './target.ts'
import type { Issued, Tenant } from './tenants.ts'

const accessMs = 900_000
const tenantUserType = 'urn:service:params:tokens:user'
const otherClientType = 'urn:service:params:oauth:user-token'

/** OAuth tokens as they were issued, and what has become of them. */
export interface Tokens {
  learn(
    operationId: string,
    who: number,
    request: Body,
    answer: Body,
    tenants: readonly Tenant[],
  ): void
  find(value: string): Issued | undefined
  /** Whether a token was made for somebody else than who asked. */
  isAnothers(value: unknown, who: number): boolean
  endAll(owner: number): void
}

/** Of what was sent in an odd way only strings can have been taken for tokens. */
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

export function createTokens(): Tokens {
  const issued = new Map<string, Issued>()

  /** Ends a token and everything that came from it. */
  function revoke(value: string, seen = new Set<string>()): void {
    if (seen.has(value)) return
    seen.add(value)
    for (const one of issued.values()) {
      if ([one.value, one.refresh, one.parent].includes(value)) one.revoked = true
      if (one.parent === value) revoke(one.refresh, seen)
    }
  }

  /** The tenant by whose clock a new pair ends; -1 where several share it, or nobody known here. */
  function ownerOf(who: number, request: Body, tenants: readonly Tenant[]): number {
    const { grant_type, refresh_token, subject_token_type, audience } = request
    if (grant_type === 'client_credentials') return who
    if (grant_type === 'refresh_token') {
      return [...issued.values()].find((one) => one.refresh === refresh_token)?.owner ?? -1
    }
    if (subject_token_type === tenantUserType) return who
    if (subject_token_type !== otherClientType) return -1
    return tenants.findIndex(({ clientId }) => clientId === audience)
  }

  return {
    find: (value) => issued.get(value),
    isAnothers(value, who) {
      const one = issued.get(toText(value))
      return one !== undefined && one.owner !== who
    },
    learn(operationId, who, request, answer, tenants) {
      if (operationId === 'oauthRevoke') revoke(toText(request['token']))
      if (operationId !== 'oauthToken') return
      const from = request['grant_type'] === 'refresh_token' ? 'refresh_token' : 'subject_token'
      const isFirst = request['grant_type'] === 'client_credentials'
      const owner = ownerOf(who, request, tenants)
      const value = String(answer['access_token'])
      issued.set(value, {
        value,
        refresh: String(answer['refresh_token']),
        parent: isFirst ? undefined : toText(request[from]),
        owner,
        expires: start + (tenants[owner]?.offset ?? 0) + accessMs,
        revoked: false,
      })
    },
    endAll(owner) {
      for (const one of issued.values()) if (one.owner === owner) one.revoked = true
    },
  }
}

/** Whether a bearer token has to be accepted; undefined where that is not known here. */
export function canUse(
  tokens: Tokens,
  value: string,
  who: number,
  tenants: readonly Tenant[],
): boolean | undefined {
  const one = tokens.find(value)
  if (!one) return /^sva-/.test(value) ? undefined : false
  if (one.owner < 0) return undefined
  const now = start + (tenants[one.owner]?.offset ?? 0)
  return !one.revoked && now < one.expires && one.owner === who
}
