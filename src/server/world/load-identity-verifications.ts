import type { WorldIdentityVerification } from '../../../generated/sandbox/types.ts'
import { insertIdentityVerification } from '../identity-verification/insert-identity-verification.ts'
import { findUserByClientUserId } from '../users/store.ts'
import { told } from './told.ts'
import { complete, contextOf, type WorldContext } from './world-context.ts'
import { needs } from './world-needs.ts'
import { toWorldTime } from './world-time.ts'

/**
 * Writes the attempts in the order of their creation, whatever that of the file is: later ones of a
 * user at a template retry the earlier.
 */
export async function loadIdentityVerifications(
  world: WorldContext,
  attempts: readonly WorldIdentityVerification[],
): Promise<void> {
  const timed = attempts.map((attempt, index) => {
    const { created_at } = complete(attempt, needs.identityVerification)
    return { attempt, index, created_at: toWorldTime(world.anchor, created_at) }
  })
  // Those of one second stay in the order of the file.
  timed.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
  for (const { attempt, index, created_at } of timed) {
    await told(`identity_verifications[${index}]`, () => loadOne(world, attempt, created_at))
  }
}

async function loadOne(
  world: WorldContext,
  attempt: WorldIdentityVerification,
  created_at: string,
): Promise<void> {
  const { identity_verification_id: id } = attempt
  const { client_user_id, template_id } = complete(attempt, needs.identityVerification)
  const { gave_consent = false, is_shareable = false, user = null, outcomes = [] } = attempt
  const ctx = contextOf(world, `identity verification/${id}`)
  const known = await findUserByClientUserId(ctx, client_user_id)
  await insertIdentityVerification(ctx, {
    id,
    client_user_id,
    user_id: known?.user_id ?? null,
    template_id,
    created_at,
    gave_consent,
    is_shareable,
    user,
    outcomes: outcomes.map(({ at, ...outcome }) => ({
      ...outcome,
      ...(at === undefined ? {} : { at: toWorldTime(world.anchor, at) }),
    })),
  })
}
