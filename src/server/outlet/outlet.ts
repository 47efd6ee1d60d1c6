import { audit } from '../audit/audit.ts'
import { findClient } from '../clients/store.ts'
import { findItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { newId } from '../kernel/ids.ts'
import { toTimestamp } from '../kernel/time.ts'
import { createContext } from '../pipeline/create-context.ts'
import type { Guess } from '../pipeline/guess-limits.ts'
import type { PipelineService } from '../pipeline/pipeline-service.ts'
import { readOnly } from '../pipeline/read-only.ts'
import { waitForCall, withCall } from '../queue/pull-quota.ts'
import { hashOfSecret, hashOfToken, isSecretOf, simplefinPath } from './access.ts'
import { type AccountSet, withErrors } from './account-set.ts'
import { type Asked, readAsked, WrongParameter } from './asked.ts'
import { readAccounts, TooManyRows } from './read-accounts.ts'
import {
  type AccessRow,
  claimSimplefinToken,
  findSimplefinAccess,
  findSimplefinToken,
  noteSimplefinCall,
} from './store.ts'

/** What the server answers. */
export interface OutletAnswer {
  status: number
  /** Text, or an object that is sent as JSON. */
  body: string | object
  /** In seconds. */
  retryAfter?: number
}

/** A server of the SimpleFIN protocol: https://www.simplefin.org/protocol.html */
export interface Outlet {
  info(): OutletAnswer
  /** Exchanges the code of a setup token for an access address. */
  claim(code: string): Promise<OutletAnswer>
  accounts(request: AccountsRequest): Promise<OutletAnswer>
}

interface AccountsRequest {
  authorization: string | undefined
  query: URLSearchParams
  peer: string
  forwarded: boolean
}

/** What the protocol allows. */
const quota = { callsPerDay: 24, minIntervalSeconds: 0 }
const forbidden: OutletAnswer = { status: 403, body: 'Forbidden' }
/** The codes of the answer where an access is limited. */
const limited = { errors: { '429': ['RATE_LIMIT'] } } as const

export function createOutlet(service: PipelineService): Outlet {
  return {
    info: () => ({ status: 200, body: { versions: ['1.0', '2'] } }),
    claim: (code) => claim(service, code),
    async accounts(request) {
      const found = await authenticate(service, request)
      if (!found) return forbidden
      try {
        return await answer(service, found, readAsked(request.query))
      } catch (error) {
        const message = messageOf(error)
        if (message === undefined) throw error
        return { status: 400, body: withErrors([{ code: 'gen.api', msg: message }]) }
      }
    },
  }
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof WrongParameter) return error.message
  if (error instanceof TooManyRows) return 'there are too many transactions: ask for fewer days'
  return undefined
}

async function claim(service: PipelineService, code: string): Promise<OutletAnswer> {
  const { database, keys, clock, settings } = service
  const token_hash = hashOfToken(keys, code)
  const found = await database.read((db) => findSimplefinToken(db, token_hash))
  if (!found || found.token_expires_at <= clock()) return forbidden
  const { client_id, access_id } = found
  const password = newId('page_key', settings.environment)
  const isClaimed = await database.transaction(
    async (db) => {
      const client = await findClient(db, client_id)
      if (client?.disabled_at !== null) return false
      const { ctx } = createContext(service, db, { client, now: clock() })
      if (!(await hasItem(ctx, found))) return false
      const secret_hash = hashOfSecret(keys, access_id, password)
      const at = toTimestamp(clock())
      if (!(await claimSimplefinToken(db, { ...found, token_hash }, { secret_hash, at })))
        return false
      const actor = `simplefin:${access_id}`
      await audit(service, db, { actor, action: 'simplefin.claim', client_id, subject: access_id })
      return true
    },
    { owner: client_id },
  )
  if (!isClaimed) return forbidden
  const address = new URL(`${service.publicUrl()}${simplefinPath}`)
  address.username = access_id
  address.password = password
  return { status: 200, body: address.href }
}

/** Whether the Item of an access is there; an access to all Items of a client needs none. */
async function hasItem(ctx: Context, { item_id }: AccessRow): Promise<boolean> {
  if (item_id === null) return true
  return (await findItem(ctx, item_id))?.removed_at === null
}

/** The access whose credentials a request has. */
async function authenticate(
  { database, keys, guessLimits }: PipelineService,
  { authorization, peer, forwarded }: AccountsRequest,
): Promise<AccessRow | undefined> {
  const { accessId, secret } = readCredentials(authorization)
  const guess = (): Guess => ({ kind: 'secret', claimed: accessId, peer, forwarded })
  guessLimits.admit(guess, limited)
  const access = await database.read((db) => findSimplefinAccess(db, accessId))
  if (access && isSecretOf(keys, access, secret)) return access
  guessLimits.fail(guess(), access !== undefined)
  return undefined
}

function readCredentials(authorization = ''): { accessId: string; secret: string } {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/=_-]{1,512})$/i.exec(authorization) ?? []
  const [accessId = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
  return { accessId: accessId.slice(0, 64), secret: rest.join(':') }
}

async function answer(
  service: PipelineService,
  access: AccessRow,
  asked: Asked,
): Promise<OutletAnswer> {
  const waitMs = await takeCall(service, access)
  if (waitMs > 0) {
    const msg = `this access allows ${quota.callsPerDay} requests in 24 hours`
    const body = withErrors([{ code: 'gen.api', msg }])
    return { status: 429, body, retryAfter: Math.ceil(waitMs / 1000) }
  }
  const set = await readSet(service, access, asked)
  return set ? { status: 200, body: set } : forbidden
}

/** Counts a request. Returns how long to wait, in ms, if it is one too many. */
function takeCall(
  { database, clock }: PipelineService,
  { client_id, access_id }: AccessRow,
): Promise<number> {
  return database.transaction(
    async (db) => {
      const now = clock()
      const latest = await findSimplefinAccess(db, access_id)
      if (!latest) return 0
      const wait = waitForCall(latest.calls, quota, now)
      if (wait > 0) return wait
      const calls = withCall(latest.calls, now)
      await noteSimplefinCall(db, { client_id, access_id }, { calls, at: toTimestamp(now) })
      return 0
    },
    { owner: client_id },
  )
}

function readSet(
  service: PipelineService,
  { client_id, item_id }: AccessRow,
  asked: Asked,
): Promise<AccountSet | undefined> {
  return service.database.read(async (db) => {
    const client = await findClient(db, client_id)
    if (client?.disabled_at !== null) return undefined
    const now = service.clock() + client.clock_offset_ms
    const { ctx } = createContext(service, readOnly(db), { client, now })
    return readAccounts(ctx, item_id, asked)
  })
}
