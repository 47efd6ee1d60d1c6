import type { Evidence } from '../../identity-verification/evidence.ts'
import type { VerificationSessionRow } from '../../identity-verification/page-session-store.ts'
import type { Picture, PictureProblem } from '../../identity-verification/pictures/picture.ts'
import type { Steps } from '../../identity-verification/step.ts'
import type { AttemptRow } from '../../identity-verification/store.ts'
import type { KnownUser } from '../../identity-verification/subject.ts'
import type { Context } from '../../kernel/context.ts'
import type { PageToken } from '../../link/link-token-store.ts'
import type { Told } from '../teller.ts'
import type { FieldError, Rejected, View } from '../visit.ts'
import type { Drafts } from './drafts.ts'
import type { Texts } from './texts/texts.ts'

/** The questions of the page, each with an address of its own. */
export type QuestionName =
  | 'terms'
  | 'phone'
  | 'code'
  | 'name'
  | 'birth'
  | 'country'
  | 'address'
  | 'number'
  | 'answers'
  | 'document'
  | 'front'
  | 'back'
  | 'selfie'
  | 'waiting'

/** A request for a page of a session that goes on. */
export interface Visit {
  ctx: Context
  attempt: AttemptRow
  steps: Steps
  user: KnownUser
  evidence: Evidence
  session: VerificationSessionRow
  drafts: Drafts
  /** The link token that led here. */
  token: PageToken | undefined
  /** What the window may know that opened the page. */
  told?: Told | undefined
  texts: Texts
  /** Whom the person proves their identity to. */
  client: string
  query: URLSearchParams
  /** The address of the page, to which its forms are sent. */
  address: string
  /** The IP address of the person. */
  peer: string | undefined
  /** The picture that a form brings. */
  picture?: SentPicture
}

/** A picture that arrived, or why it cannot be used. */
export type SentPicture = Picture | { problem: PictureProblem }

/** What a form leads to. */
export type Outcome =
  | { errors: readonly FieldError[]; attempt?: AttemptRow; at?: QuestionName }
  | { attempt?: AttemptRow; drafts?: Drafts }

/** A question to the person. */
export interface VerifyQuestion {
  /** Which fields are shown again after a rejection, never those of secrets. Left out: none. */
  repeats?(name: string): boolean
  view(visit: Visit, rejected?: Rejected): Promise<View> | View
  answer(visit: Visit, form: URLSearchParams): Promise<Outcome> | Outcome
}
