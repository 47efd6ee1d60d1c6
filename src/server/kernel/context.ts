import type { Connector } from '../../connector/connector.ts'
import type { Queries } from './database.ts'
import type { IdKind } from './ids.ts'
import type { JobPayloads } from './job-payloads.ts'
import type { KeptCalls } from './kept-calls.ts'
import type { Keys } from './keys.ts'
import type { EndedImport } from './telemetry.ts'
import type { WebhookBodyOf, WebhookName } from './webhook-body.ts'

/** The calling client, as its row says. */
export interface ClientRow {
  client_id: string
  default_version: string | null
  /** What its clock is ahead of the real one. */
  clock_offset_ms: number
  /** The features and scopes that it may use, as a JSON array. */
  features: string
  /** How many injected errors wait for it. */
  injections: number
  /** How often it was reset: what is remembered of it from before does not count. */
  resets: number
  /** Until when its webhooks are stored for listeners, in real ms; null where nobody has listened. */
  listens_until: number | null
}

/** An OAuth access token that came with the request. */
export interface BearerToken {
  scopes: readonly string[]
  /** The user that it stands for, and the client whose user that is; null when it stands for none. */
  user: { user_id: string; client_id: string } | null
}

/** An operator's own HTTP service that does identity checks. */
export interface IdentityGateway {
  /** Without a slash at the end. */
  url: string
  /** The names of the steps that it serves. */
  steps: readonly string[]
  /** Whether it may be at a private address, and over http. */
  isPrivate: boolean
  /** How long an answer may take, in ms: in tests only, so no option sets it. */
  timeoutMs?: number
}

/** What an operation may change about how the service runs; fixed at its start. */
export interface Settings {
  environment: 'sandbox' | 'production'
  /** How long an asset report takes, in ms. */
  reportDelayMs: number
  /** What the list of calls keeps; unless it says something else, the usual. */
  keptCalls?: KeptCalls
  /** Whether webhooks of the sandbox go to private addresses by certain names only, or always. */
  privateTargets?: 'names' | 'allow'
  /** Who does identity checks in production; undefined where nobody does. */
  identityGateway?: IdentityGateway
  /** Whether sources may also be on this machine: in tests only, so no option sets it. */
  callTargets?: 'public' | 'loopback'
  /** The connectors that an option loads, by their id. */
  connectors?: ReadonlyMap<string, Connector>
}

/** Where a webhook goes, and the Item that it stops with. */
interface WebhookTarget {
  url: string | null
  item_id?: string
  tamper?: string
}

/** Everything that a handler may use. */
export interface Context {
  /** The statements of this request's transaction. */
  db: Queries
  /** The same, for rows of the client: `$1` is its id, and the given values start at `$2`. */
  own: Queries
  client: ClientRow
  bearer: BearerToken | undefined
  /** The client's time, to the second: `2026-03-16T14:05:09Z`. */
  now: string
  /** The same to the millisecond. */
  nowMs: number
  settings: Settings
  /** Where this service is reached from outside, without a slash at the end. */
  publicUrl: string
  /** Where the docs are; undefined where there are none. */
  docsUrl: string | undefined
  keys: Keys
  /** What is kept in memory while the service runs; `create` makes it when it is first asked for. */
  singleton<Kept>(create: () => Kept): Kept
  /** A new identifier in one of the forms of the interface. */
  newId(kind: IdKind): string
  /**
   * A number that is greater than all before it, by which rows are listed in the order of their
   * creation. It is made from the clock of the process: a counter would be a row that all writes of a
   * client wait for.
   */
  nextSequence(): number
  /**
   * Writes a webhook in this transaction, so that it exists exactly when its fact does; without a
   * url there is nobody to tell. Type, code and environment are added to the fields.
   */
  emit<Name extends WebhookName>(
    name: Name,
    fields: WebhookBodyOf<Name>,
    target: WebhookTarget,
  ): Promise<void>
  /** Plans work in this transaction, `delayMs` from now by the client's clock. */
  schedule<Kind extends keyof JobPayloads>(
    kind: Kind,
    payload: JobPayloads[Kind],
    delayMs?: number,
  ): Promise<void>
  /** The real time in ms, not the client's. */
  realMs(): number
  /** Tells metrics and log of an import, once it is committed. */
  tellImport(ended: EndedImport): void
  /** Asks for what is due for this client to be done after the commit and before the answer. */
  finishDueWork(): void
  /** Asks for an Item to be read from its source after the commit and before the answer. */
  finishPull(itemId: string): void
  /** Asks for what is due to be begun after the commit; the answer does not wait for it. */
  beginDueWork(): void
}
