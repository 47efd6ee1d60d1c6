import type { components } from '../../../generated/identity-gateway/types.ts'
import type { CallOut } from './call-out.ts'

type Schemas = components['schemas']
/** What only requests to a gateway have. */
type Envelope = 'webhook_type' | 'webhook_code'

/** A step that a provider can serve. */
export type ServedStep = Schemas['GatewayStep']
/** Which steps are wanted, and for which client. */
export type StepsQuestion = Omit<Schemas['GatewayAuthorizeRequest'], Envelope>
/** A check that begins. */
export type CheckSubmission = Omit<Schemas['GatewaySubmitRequest'], Envelope>
/** Which check is asked for. */
export type CheckQuestion = Omit<Schemas['GatewayResultRequest'], Envelope>
/** What a provider says about a check. */
export type CheckAnswer = Schemas['GatewayAnswer']
/** What a provider found, by step. */
export type CheckResults = Schemas['GatewayResults']

/** What a provider uses to reach its service. */
export interface ProviderContext {
  /** Sends a request, signed by the key of the client that the check is of. */
  call: CallOut
}

/**
 * Knows how one kind of provider does identity checks. When to call, how often, and what becomes of an
 * answer is the same for all, and not its matter.
 */
export interface IdentityProvider {
  id: string
  /** Returns the steps that the provider serves for a client. Throws `SourceFailed`. */
  authorize(ctx: ProviderContext, question: StepsQuestion): Promise<readonly ServedStep[]>
  /** Begins a check. The same `check_id` begins none twice. Throws `SourceFailed`. */
  submit(ctx: ProviderContext, submission: CheckSubmission): Promise<CheckAnswer>
  /** Asks what a check has found. Throws `SourceFailed`. */
  result(ctx: ProviderContext, question: CheckQuestion): Promise<CheckAnswer>
}
