import type {
  SourceAccount,
  SourceBalance,
  SourceOwner,
  SourceTransaction,
} from '../statements/statement.ts'

export type { SourceAccount, SourceBalance, SourceOwner, SourceTransaction }

/** What a source tells, in its order. An account comes before what belongs to it, named by its `ref`. */
export type Message =
  | { type: 'account'; ref: string; account: SourceAccount }
  | { type: 'balance'; ref: string; balance: SourceBalance }
  | { type: 'transaction'; ref: string; transaction: SourceTransaction }
  /** A row that the source told before is gone there. Only of a connector with `exactIds`. */
  | { type: 'removed'; ref: string; id: string }
  /** All bookings of these days were told, and with `pending` also what is pending. */
  | { type: 'covered'; ref: string; from: string; to: string; pending: boolean }
  | { type: 'issue'; issue: SourceIssue }
  /** What the next read needs. Stored with the rows before it. JSON without a secret. */
  | { type: 'state'; state: unknown }

/** Something that the source could not tell. The rest goes on. */
export interface SourceIssue {
  /**
   * `login`: the user must authorize a bank again. `account`: accounts were not read. `row`: a row
   * could not be read. `notice`: a text for people. `login` and `notice` have the words of the source.
   */
  kind: 'login' | 'account' | 'row' | 'notice'
  /** Plain text of at most 200 characters. */
  message: string
}

/** A request to a source. */
export interface SourceRequest {
  method: 'GET' | 'POST'
  url: URL
  headers?: Readonly<Record<string, string>>
  body?: string
  /** The most bytes of the response (50 MB). */
  mostBytes?: number
}

/** The response of a source. A redirect is not followed. */
export interface SourceResponse {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Uint8Array
}

/** What a connector uses to reach its source. */
export interface ConnectorContext {
  /** Those of the institution, without references. */
  settings: unknown
  /**
   * Sends a request, over https, to a host that `hosts` names. Throws `SourceFailed` if there is no
   * whole response after 30 seconds. Use it for every request: it checks the address that is dialed.
   */
  call(request: SourceRequest): Promise<SourceResponse>
  /** Real time in ms. */
  now: number
}

/** What a connector uses to authorize a user. */
export interface AuthorizeContext extends ConnectorContext {
  /** Where the website of the source sends the user back to, and the `state` to send along. */
  redirect: { address: string; state: string }
  /** Where the source can send webhooks about what the user authorizes; the same in all steps. */
  notify: string
  /** How many days of history the client asked the user for. */
  daysRequested: number
  /** In update mode the secret that the Item has. */
  former?: unknown
}

/** The first and the last day of a read, as `YYYY-MM-DD`. */
export interface Window {
  from: string
  to: string
}

/** What a connector uses to read. */
export interface ReadContext extends ConnectorContext {
  /** The secret that `authorize` gave. */
  secret: unknown
  /** The days to read. They overlap those of the read before it by ten days or more. */
  window: Window
  /** Whether to tell accounts and balances alone. */
  balancesOnly: boolean
  /** Whether the client asked for data that are newer than those that the source has. */
  isAsked: boolean
}

/** A webhook that came to the `notify` address. */
export interface Notice {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Uint8Array
}

/** What a connector uses to revoke. */
export interface RevokeContext extends ConnectorContext {
  /** The secret that `authorize` gave. */
  secret: unknown
}

/** A field of a form. */
export interface FormField {
  type: 'string'
  /** The label that the page shows. Left out, the name of the field. */
  title?: string
  /** A hint below the label. */
  description?: string
  /** Hides what the user types. Such a field is never shown again. */
  format?: 'password'
  maxLength?: number
}

/** The JSON Schema of a form. */
export interface FormSchema {
  type: 'object'
  properties: Readonly<Record<string, FormField>>
  required: readonly string[]
}

/** Asks the user to fill in a form. */
export interface FormStep {
  kind: 'form'
  schema: FormSchema
  /** What the connector needs to go on. JSON; stored encrypted. So in the other steps. */
  secret?: unknown
}

/** Sends the user to the website of the source, which sends them back to `redirect.address`. */
export interface RedirectStep {
  kind: 'redirect'
  /** An https address. */
  url: string
  /** The `redirect.state` of the context. */
  state: string
  secret?: unknown
}

/** Asks the user to confirm the connection elsewhere, such as in an app. */
export interface WaitStep {
  kind: 'wait'
  /** How long to wait before the next call of `authorize`, in ms. */
  pollMs: number
  secret?: unknown
}

/** Ends the authorization. */
export interface DoneStep {
  kind: 'done'
  /** What `read` needs. JSON; stored encrypted. */
  secret: unknown
  /** When the authorization ends, as a timestamp such as `2027-01-31T00:00:00Z`. */
  expiresAt?: string
}

/** A step of an authorization. */
export type Step = FormStep | RedirectStep | WaitStep | DoneStep

/** What the user answers: the fields of a form, or the parameters that a website sent back. */
export interface Input {
  fields: Readonly<Record<string, string>>
}

/** How often a source may be called. A call is one run of `read`. */
export interface Limits {
  /** The pause between two calls (5). */
  minIntervalSeconds?: number
  /** How many calls are made in 24 hours (24). */
  callsPerDay?: number
  /** How many days one call asks for (60). At least 32. */
  maxWindowDays?: number
  /** How many requests one call, or one step of an authorization, sends (100). */
  requestsPerCall?: number
}

/** An institution that the service lists while the connector is loaded. */
export interface OfferedInstitution {
  /** 1 to 64 letters, digits, underscores and hyphens. Items store it. */
  institution_id: string
  name: string
  country_codes: readonly string[]
  url?: string
  /** The settings of the connector at this institution. */
  settings?: Readonly<Record<string, unknown>>
}

/** A setting that is wrong. `path` is empty for all settings together. */
export interface SettingIssue {
  path: string
  message: string
}

/**
 * Knows one protocol of banks. When to call, how often, how rows become transactions, and what becomes
 * of a failure is the same for all connectors, and a matter of the service.
 */
export interface Connector {
  /** 2 to 32 small letters, digits and hyphens, of which the first is a letter. Items store it. */
  id: string
  /** The version of the connector, for the log. */
  version: string
  /** A whole number from 1. Raise it when rows get other ids than before. */
  keyVersion: number
  limits: Limits
  /**
   * Whether an id always means the same row, and the source itself says what a pending row becomes and
   * what is removed. The service then compares no rows by day, amount or text. Each read must tell all
   * accounts: one that is not told is closed, unless an `issue` says that something was not read.
   */
  exactIds?: true
  /** The institutions to list. Others can name the connector in the file of `--institutions`. */
  institutions?: readonly OfferedInstitution[]
  /** The hosts that may be called with these settings, with `:PORT` where that is not 443. */
  hosts(settings: unknown): readonly string[]
  /**
   * Whether these settings allow addresses of private networks, and plain http. Left out, they do not.
   * No settings allow the metadata services of clouds.
   */
  allowsPrivate?(settings: unknown): boolean
  /** Says what is wrong with the settings of an institution. Left out, all settings are accepted. */
  checkSettings?(settings: unknown): readonly SettingIssue[]
  /**
   * The first question. Left out, the page says that the user logs in on the website of the bank. It
   * then calls `authorize` without a step.
   */
  first?: FormStep
  /**
   * Says what follows an answer. The same Item may be authorized again. `previous` is undefined at the
   * beginning, if there is no `first`. Throws `AuthorizationFailed` or `SourceFailed`.
   */
  authorize(ctx: AuthorizeContext, previous: Step | undefined, input: Input): Promise<Step>
  /** Reads some days. `state` is what the read before it told; undefined for the first one. */
  read(ctx: ReadContext, state: unknown): AsyncIterable<Message>
  /**
   * Ends an authorization at the source, once its Item was removed. It may run again after a failure.
   * Left out, the service only forgets the secret.
   */
  revoke?(ctx: RevokeContext): Promise<void>
  /**
   * Says whether a webhook is from the source and means that there is something to read. The service
   * takes nothing else from it. Left out, webhooks are rejected.
   */
  isNews?(ctx: RevokeContext, notice: Notice): Promise<boolean>
}

/** The limits that apply where a connector sets none. */
const usual: Required<Limits> = {
  minIntervalSeconds: 5,
  callsPerDay: 24,
  maxWindowDays: 60,
  requestsPerCall: 100,
}

/** The limits of a connector, complete. */
export const limitsOf = ({ limits }: Pick<Connector, 'limits'>): Required<Limits> => ({
  ...usual,
  ...limits,
})
