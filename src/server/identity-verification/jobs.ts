import type { JobHandlers } from '../kernel/job-handlers.ts'
import { userOf } from './attempt.ts'
import { inventVerdict } from './invented-checks.ts'
import { settleCheck } from './settle-check.ts'
import { findAttempt } from './store.ts'

/** The jobs for identity verifications. */
export const identityVerificationJobs: JobHandlers<'identityCheckEnd'> = {
  async identityCheckEnd(ctx, payload) {
    const row = await findAttempt(ctx, payload.identity_verification_id)
    if (!row) return
    const verdict = inventVerdict(userOf(ctx, row), { step: payload.step })
    if (verdict !== 'pending') await settleCheck(ctx, payload, verdict)
  },
}
