import type { SandboxFailureReasonInput } from '../../../generated/sandbox/closed.ts'
import { invalidField } from '../kernel/errors.ts'

/** Why a transfer failed or was returned. A failure has no code. */
interface FailureReason {
  failure_code: string | null
  failure_description: string
}

type Input = SandboxFailureReasonInput | null | undefined

/** Descriptions of common codes: R… on ACH, the others on networks for single payments. */
const texts: Record<string, string> = {
  R01: 'The account does not hold enough money for the debit.',
  R02: 'The account is closed.',
  R03: 'The bank has no such account.',
  R04: 'The account number is not valid.',
  R05: 'The holder did not authorize the debit of a consumer account as a business.',
  R06: 'The bank that sent the entry asked for its return.',
  R07: 'The holder revoked the authorization.',
  R08: 'The holder stopped the payment.',
  R09: 'The money in the account is not available yet.',
  R10: 'The holder says that the debit was not authorized.',
  R11: 'The holder says that the debit differs from what was authorized.',
  R16: 'The account is frozen.',
  R20: 'The account does not take such entries.',
  R23: 'The holder refused the credit.',
  R29: 'The business says that the debit was not authorized.',
  AC04: 'The account is closed.',
}

const textOf = (code: string): string => texts[code] ?? `The bank returned it with code ${code}.`

const achCode = /^R(0[1-9]|[1-7]\d|8[0-2])$/

function codeOf(input: Input, { ach, usual }: { ach: boolean; usual: string }): string {
  const [code, achReturn] = [input?.failure_code ?? null, input?.ach_return_code ?? null]
  if (code !== null && achReturn !== null && code !== achReturn) {
    throw invalidField(
      '`failure_reason.failure_code` and `failure_reason.ach_return_code` must be the same code',
    )
  }
  const chosen = code ?? achReturn ?? usual
  if (ach && !achCode.test(chosen)) {
    throw invalidField('`failure_reason.failure_code` must be an ACH return code from R01 to R82')
  }
  return chosen
}

/** The reason of a return: the requested one, or the usual code and its description. */
export function toReturnReason(
  input: Input,
  options: { ach: boolean; usual: string },
): FailureReason {
  const code = codeOf(input, options)
  return { failure_code: code, failure_description: input?.description ?? textOf(code) }
}

/** The reason of a row as a transfer or a refund shows it. */
export const readFailureReason = (row: {
  failure_code: string | null
  failure_description: string | null
}) =>
  row.failure_description === null
    ? null
    : {
        failure_code: row.failure_code,
        ach_return_code: row.failure_code,
        description: row.failure_description,
      }

/** The reason of a failure. */
export const toFailure = (input: Input): FailureReason => ({
  failure_code: null,
  failure_description: input?.description ?? 'The payment could not be submitted to the network.',
})
