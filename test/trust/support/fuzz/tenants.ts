import { currentVersion } from '../../../../generated/versions.ts'
import type { Subject } from './subjects.ts'

/** A fault that was asked for and has not happened yet. */
export interface Pending {
  path: string
  item: string | undefined
  error_code?: string
  drop?: boolean
  unknown_enum?: boolean
  times: number
}

/** An OAuth token as it was issued. */
export interface Issued {
  value: string
  refresh: string
  parent: string | undefined
  /** The tenant by whose clock it ends. */
  owner: number
  /** In ms, by that clock. */
  expires: number
  revoked: boolean
}

/** What is known of one client of a run. */
export interface Tenant {
  clientId: string
  secret: string
  /** What its clock is ahead, in ms. */
  offset: number
  defaultVersion: string
  pending: Pending[]
  wallets: Map<string, number>
}

export const createTenant = (clientId: string, secret: string): Tenant => ({
  clientId,
  secret,
  offset: 0,
  defaultVersion: currentVersion,
  pending: [],
  wallets: new Map(),
})

/** Takes the fault that a call meets once it is let in, as the sandbox API describes it. */
export function takePending(tenant: Tenant, subject: Subject, item: unknown): Pending | undefined {
  const found = tenant.pending.find(
    (one) => one.path === subject.path && (one.item === undefined || one.item === item),
  )
  if (!found) return undefined
  found.times -= 1
  if (found.times <= 0) tenant.pending.splice(tenant.pending.indexOf(found), 1)
  return found
}

/** Notes what a call of the sandbox API has asked for. */
export function notePending(tenant: Tenant, body: Record<string, unknown>): void {
  const { operation, access_token, error_code, drop, unknown_enum, times = 1 } = body
  tenant.pending.push({
    path: String(operation),
    item: typeof access_token === 'string' ? access_token : undefined,
    ...(typeof error_code === 'string' ? { error_code } : {}),
    ...(drop === true ? { drop } : {}),
    ...(unknown_enum === true ? { unknown_enum } : {}),
    times: Number(times),
  })
}
