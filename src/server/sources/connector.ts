import type { AccountKind, Product } from '#contract/closed.ts'
import type { ErrorKey } from '../../../generated/errors.ts'
import type { FormSchema } from '../../connector/connector.ts'
import type { CsvTable } from '../../statements/csv/table.ts'
import type { AccountRow } from '../items/account-store.ts'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import type { Service } from '../kernel/service.ts'
import type { EndedImport } from '../kernel/telemetry.ts'

export type { FormSchema }

/** A question of a connector, as the link page shows it. */
export type Question =
  | { kind: 'file'; accept: readonly string[] }
  /** Which column of a file is what. `secret` says where the file is staged. */
  | { kind: 'columns'; table: CsvTable; secret: unknown }
  /** `secret` is what the connector needs to go on; it is stored encrypted. So below. */
  | { kind: 'form'; schema: FormSchema; secret?: unknown }
  | { kind: 'redirect'; url: string; state: string; secret?: unknown }
  /**
   * `isOutage` says that the
   * institution does not answer, and `isSetup` that the user has to finish something there first.
   * Otherwise the user has to confirm the connection there.
   */
  | { kind: 'wait'; pollMs: number; secret?: unknown; isOutage?: boolean; isSetup?: boolean }
  | Resume

/** Update mode at a source that still lets the service in: the user need not authorize again. */
export interface Resume {
  kind: 'resume'
  /** The accounts that have appeared there and are not shared yet. */
  appeared: readonly Pick<FoundAccount, 'name' | 'mask'>[]
  /** What the user has to do at the source first. */
  needs: 'login' | 'setup' | null
  /** Whether the user authorized by a setup token of SimpleFIN. */
  hasToken: boolean
  /** What the source told the user, in its own words. */
  said: readonly string[]
}

/** What the user has authorized. */
export interface Authorized {
  kind: 'done'
  /** What the connector needs to read; it is stored encrypted. JSON. */
  secret: unknown
  /** When the authorization ends, as a timestamp. */
  expiresAt?: string
  /** The accounts that the user can share. Null: all those that the Item has, without a question. */
  accounts: FoundAccount[] | null
  /** What could not be read, for the page on which the user chooses. */
  notes?: ReadNote[]
  /** How many there are beside those. */
  moreNotes?: number
  /** What the source tells the user, in its own words: plain text. */
  said?: readonly string[]
}

/** A part of a file that could not be read. */
export interface ReadNote {
  line?: number
  code: string
  /** Whether something is missing because of it. */
  lost: boolean
}

export type Step = Question | Authorized

/** An account that the source has. */
export interface FoundAccount {
  /** Names it among the accounts of the session; stands in the page. */
  id: string
  name: string | null
  mask: string | null
  currency: string
  /** Null where the source does not tell it: the page asks for it. */
  kind: AccountKind | null
  /** Whether the page has to ask for the balance. */
  lacksBalance: boolean
  /** Whether it has to ask for the number, and for the currency. */
  lacksNumber?: boolean
  lacksCurrency?: boolean
  /** What a file tells of it. */
  told?: { rows: number; from: string | null; to: string | null }
  /** Whether the Item has it: it needs no answers, and stays whatever the user chooses. */
  isKnown?: boolean
  /** Why it cannot be shared; undefined where it can. */
  barrier?: AccountBarrier
}

/** Why an account cannot be shared: a key of `texts.barriers`. */
type AccountBarrier = 'unsupportedCurrency'

/** An account with what the user has answered. */
export interface ChosenAccount extends FoundAccount {
  kind: AccountKind
  /** In minor units from the customer's view: a debt is negative. */
  balance?: number
  number?: string
}

/** For whom a connector works. */
export interface Ask {
  service: Service
  clientId: string
  institution: { institution_id: string; name: string; settings: unknown }
  /** The Item of update mode. */
  itemId: string | null
  daysRequested: number
  /** For a website on which the user goes on: its way back here, with `state` as a parameter. */
  back: { address: string; state: string }
  /** Reads as the client. */
  read<Result>(work: (ctx: Context) => Promise<Result>): Promise<Result>
  /** The same in a transaction that writes. */
  write<Result>(work: (ctx: Context) => Promise<Result>): Promise<Result>
}

/** What the user answers to a question. */
export interface Input {
  fields: Readonly<Record<string, string>>
  file?: { name: string; bytes: AsyncIterable<Uint8Array> }
}

/** Who links what, once all questions are answered. */
export interface LinkOrder extends Pick<Ask, 'institution' | 'itemId' | 'daysRequested'> {
  /** The client's own id of the user. */
  clientUserId: string
  /** The user of `/user/create`, if the link token names one. */
  userId: string | null
  /** Where webhooks about the Item go. */
  webhook: string | null
  products: readonly Product[]
  secret: unknown
  expiresAt: string | null
  accounts: readonly ChosenAccount[]
  /** Whether something of the source could not be read. */
  isPartial?: boolean
}

/** The Item of a link session. */
export interface LinkedItem {
  item: ItemRow
  /** Undefined in update mode. */
  access_token?: string
  accounts: AccountRow[]
  /** What a file has brought. */
  told?: Pick<EndedImport, 'format' | 'result' | 'rows'> & {
    /** Real ms at the beginning of the first transaction. */
    begun: number
  }
}

/** What is left of a link that takes several transactions. JSON. */
export interface LinkRest {
  /** What the connector needs to go on. */
  state: unknown
  /** How many transactions are linked, and of how many. */
  done: number
  total: number
}

/** A connector to a source of real data, as far as the link page knows it. */
export interface Connector {
  id: string
  /** The first question at an institution, without a call. */
  first(institution: Ask['institution']): Question
  /** The first question of update mode, without a call; undefined where that is the usual one. */
  resume?(ctx: Context, itemId: string): Promise<Resume | undefined>
  /**
   * What follows an answer, outside of any transaction. A form that is sent twice leads to one call,
   * and a file that is sent twice to two.
   * @throws RejectedAnswer for an answer that the user can correct
   */
  authorize(ask: Ask, previous: Question, input: Input): Promise<Step>
  /**
   * Links an Item, or repairs the one of update mode, in the transaction that ends the session. What
   * is too much for one is returned, and given to the next call in a transaction of its own.
   * @throws RejectedAnswer where the user has to authorize again
   */
  link(ctx: Context, order: LinkOrder, rest?: LinkRest): Promise<LinkedItem | LinkRest>
  /** Removes what such a link has left that does not come to its end. */
  undo?(ctx: Context, rest: LinkRest): Promise<void>
  /** Deletes what is staged under a secret that is no longer needed. */
  discard?(ctx: Context, secret: unknown): Promise<void>
  /** Plans that an authorization ends at its source, since it becomes no Item. */
  abandon?(ctx: Context, secret: unknown): Promise<void>
}

/** A connector, as far as it asks the user. */
export type Authorizer = Pick<Connector, 'first' | 'resume' | 'authorize' | 'discard' | 'abandon'>

/** The connectors that the service has. */
export type Connectors = Readonly<Record<string, Connector>>

/** Why an answer was rejected: a key of `texts.rejections`. */
export type Rejection =
  | 'setupTokenMalformed'
  | 'setupTokenUsed'
  | 'setupTokenForeign'
  | 'inputMalformed'
  | 'inputRejected'
  | 'inputUsed'
  | 'institutionUnreachable'
  | 'institutionRejects'
  | 'institutionAsks'
  | 'quotaReached'
  | 'noAccounts'
  | 'websiteDenied'
  | 'websiteFailed'
  | 'columnsUnread'
  | 'fileFormat'
  | 'fileEmpty'
  | 'filePdf'
  | 'fileArchive'
  | 'fileWorkbook'
  | 'filePicture'
  | 'fileWebPage'
  | 'fileUnknown'
  | 'fileWithoutAccounts'
  | 'fileTooManyAccounts'
  | 'fileTooLarge'
  | 'fileCut'
  | 'fileGone'
  | 'fileUnfinished'
  | 'fileRejected'

/** An answer that the user can correct. */
export class RejectedAnswer extends Error {
  override readonly name = 'RejectedAnswer'
  /** The field of the form; undefined for the first one. */
  readonly field: string | undefined
  readonly reason: Rejection
  /** The code in the event `ERROR` of the session; without one the session tells nothing. */
  readonly code: string | undefined
  /** The error of a session that the user leaves after it. */
  readonly key: ErrorKey | null
  /** The question that the user gets then; undefined for the same one. */
  readonly next: Question | undefined
  constructor(reason: Rejection, { field, code, key = null, next }: RejectionFacts = {}) {
    super(reason)
    this.reason = reason
    this.field = field
    this.code = code
    this.key = key
    this.next = next
  }
}

type RejectionFacts = Partial<Pick<RejectedAnswer, 'field' | 'code' | 'key' | 'next'>>
