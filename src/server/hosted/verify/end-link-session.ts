import type { VerificationSessionRow } from '../../identity-verification/page-session-store.ts'
import type { AttemptRow } from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import { findTokenOfWork } from '../../link/link-token-store.ts'
import { findSession } from '../../link/page-session-store.ts'
import type { SessionEvent } from '../../link/session-events.ts'
import { endSession } from '../change-session.ts'

/** What the session of a link token says of an attempt that has ended. */
const events: Readonly<Record<string, string>> = {
  success: 'IDENTITY_VERIFICATION_PASS_SESSION',
  failed: 'IDENTITY_VERIFICATION_FAIL_SESSION',
  pending_review: 'IDENTITY_VERIFICATION_PENDING_REVIEW_SESSION',
}

/**
 * Ends the session of the link token that led to an attempt. Its user has come to the end where the
 * attempt has a result or waits for a reviewer; without an attempt, the user left.
 */
export async function endLinkSession(
  ctx: Context,
  { token_hash, link_session_id }: Pick<VerificationSessionRow, 'token_hash' | 'link_session_id'>,
  attempt: Pick<AttemptRow, 'status'> | undefined,
): Promise<void> {
  if (token_hash === null || link_session_id === null) return
  const session = await findSession(ctx, { token_hash, link_session_id })
  const token = await findTokenOfWork(ctx, token_hash)
  if (session?.status !== null || !token) return
  const name = attempt && events[attempt.status]
  const told: SessionEvent[] = name === undefined ? [] : [[name, {}]]
  await endSession(ctx, { token, session }, name === undefined ? undefined : [], { events: told })
}
