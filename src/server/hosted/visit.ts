import type { ErrorKey } from '../../../generated/errors.ts'
import type { LinkInstitution, LinkItemAddResult } from '../../../generated/platform/closed.ts'
import type { Context } from '../kernel/context.ts'
import type { PageToken } from '../link/link-token-store.ts'
import type { PageSessionRow } from '../link/page-session-store.ts'
import type { SessionEvent } from '../link/session-events.ts'
import type { Connector } from './connector.ts'
import type { Html } from './html.ts'
import type { StepName } from './step-order.ts'
import type { Texts } from './texts/texts.ts'

/** What the user answered so far. */
export interface Answers {
  institution?: LinkInstitution
  seed?: string
  at?: string
}

/** A request for a step of a session that goes on. */
export interface Visit {
  ctx: Context
  connector: Connector
  token: PageToken
  session: PageSessionRow
  answers: Answers
  texts: Texts
  query: URLSearchParams
  /** The address of the page, to which its forms are sent. */
  address: string
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
}

/** What a form leads to. */
export type Outcome =
  | { to: StepName; answers?: Answers; events?: readonly SessionEvent[] }
  | { errors: readonly FieldError[]; failure?: { code: string; key: ErrorKey | null } }
  | { results: LinkItemAddResult[]; events?: readonly SessionEvent[] }

/** A question to the user. */
export interface Step {
  view(visit: Visit, rejected?: Rejected): Promise<View> | View
  answer(visit: Visit, form: URLSearchParams): Promise<Outcome> | Outcome
}
