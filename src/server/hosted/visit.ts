import type { ErrorKey } from '../../../generated/errors.ts'
import type { LinkInstitution, LinkItemAddResult } from '../../../generated/platform/closed.ts'
import type { Context } from '../kernel/context.ts'
import type { Service } from '../kernel/service.ts'
import type { PageToken } from '../link/link-token-store.ts'
import type { PageSessionRow } from '../link/page-session-store.ts'
import type { SessionEvent } from '../link/session-events.ts'
import type { Connectors, Input } from '../sources/connector.ts'
import type { Connection } from './connection.ts'
import type { Html } from './html.ts'
import type { InventedLogins } from './invented-logins.ts'
import type { StepName } from './step-order.ts'
import type { Texts } from './texts/texts.ts'

/** What the user answered so far. */
export interface Answers {
  institution?: LinkInstitution
  seed?: string
  at?: string
}

/** How users authorize: with invented logins in the sandbox, with connectors in production. */
export interface Ways {
  invented: InventedLogins | undefined
  connectors: Connectors
}

/** A request for a step of a session that goes on. */
export interface Visit {
  ctx: Context
  ways: Ways
  token: PageToken
  session: PageSessionRow
  answers: Answers
  /** What the connector has asked and got. */
  connection: Connection
  texts: Texts
  query: URLSearchParams
  /** The address of the page, to which its forms are sent. */
  address: string
  /** The file that a form brings. */
  file?: Input['file']
}

/** What is wrong with a field, by the id of its element. */
export interface FieldError {
  field: string
  text: string
}

/** A form that was sent and rejected. */
export interface Rejected {
  errors: readonly FieldError[]
  form: URLSearchParams
}

/** What a step shows. */
export interface View {
  title: string
  content: Html
  /** Whether no further question follows. */
  isEnd?: boolean
}

/** What a form leads to, beside what waits for something outside. */
export type Outcome =
  | {
      to: StepName
      answers?: Answers
      connection?: Connection
      events?: readonly SessionEvent[]
    }
  | {
      errors: readonly FieldError[]
      failure?: { code: string; key: ErrorKey | null }
      /** The step that shows the errors, where it is another one. */
      at?: StepName
      connection?: Connection
    }
  | { results: LinkItemAddResult[]; events?: readonly SessionEvent[] }

/** Work outside of any transaction. */
export interface Later {
  /** Whether another form must wait for it, since it cannot be done twice. */
  isOnce: boolean
  work(service: Service): Promise<Settle>
}

/** What the work leads to. */
export interface Settle {
  outcome(visit: Visit): Promise<Outcome> | Outcome
  /** Deletes what the work left, where the session went on without it. */
  undo?(ctx: Context): Promise<void>
}

/** Whether a field is shown again as it was typed. */
export type Repeats = (name: string) => boolean

/** A question to the user. */
export interface Step {
  /** Which fields are shown again after a rejection, never those of secrets. Left out: none. */
  repeats?(visit: Visit): Promise<Repeats> | Repeats
  view(visit: Visit, rejected?: Rejected): Promise<View> | View
  answer(
    visit: Visit,
    form: URLSearchParams,
  ): Promise<Outcome | { later: Later }> | Outcome | { later: Later }
}
