import type { Context } from '../kernel/context.ts'
import type { SampleName } from './pictures/samples.ts'
import type { Finding, StepName } from './step.ts'
import type { AttemptRow } from './store.ts'

/** A message with a one-time code, which the service made and checks itself. */
export interface CodeMessage {
  /** `+` and 7 to 15 digits. */
  phone_number: string
  code: string
  /** Counts the messages of an attempt, from 1. */
  delivery: number
}

/** A step that needs nothing from the person. */
export type BehindStep = 'watchlist_screening' | 'risk_check'

/** What a person has sent for a step. Their data is in the attempt: see `userOf`. */
export type Submission =
  | { step: 'kyc_check' }
  | { step: BehindStep }
  | {
      /** The pictures are stored under names that end with `upload`. */
      step: 'documentary_verification' | 'selfie_check'
      /** The number of the upload, from 1. */
      upload: number
      /** The sample of the sandbox that the person chose. */
      sample?: SampleName
    }

/** Why a person may send pictures again. */
export type PictureFlaw = 'blurred' | 'glaring' | 'unreadable'

/** What a check says at once. */
export type Verdict =
  /** A provider works on it; `settleCheck` brings what it finds. */
  'pending' | { found: Finding | 'expired' } | { again: PictureFlaw }

/** Who does the checks of steps: invented in the sandbox, those of providers in production. */
export interface Checks {
  /** Whether somebody checks a step. Other steps go to `pending_review`, or cannot be used. */
  serves(step: StepName): boolean
  /** Six digits. */
  newCode(ctx: Context): string
  /** Plans a message in this transaction. False: the number can get none. */
  sendCode(ctx: Context, attempt: AttemptRow, message: CodeMessage): Promise<boolean>
  /** Begins a check in this transaction. It calls no one: that is for a job. */
  submit(ctx: Context, attempt: AttemptRow, submission: Submission): Promise<Verdict>
}
