import type { WorldIdentityVerification } from '../../../generated/sandbox/types.ts'
import { insertIdentityVerification } from '../identity-verification/insert-identity-verification.ts'
import { findUserByClientUserId } from '../users/store.ts'
import { told } from './told.ts'
import { complete, contextOf, type WorldContext } from './world-context.ts'
import { needs } from './world-needs.ts'
import { toWorldTime } from './world-time.ts'

/** Writes the attempts, of which later ones of a user at a template retry the earlier. */
export async function loadIdentityVerifications(
  world: WorldContext,
  attempts: readonly WorldIdentityVerification[],
): Promise<void> {
  for (const [index, attempt] of attempts.entries()) {
    await told(`identity_verifications[${index}]`, () => loadOne(world, attempt))
  }
}

async function loadOne(world: WorldContext, attempt: WorldIdentityVerification): Promise<void> {
  const { identity_verification_id: id } = attempt
  const { client_user_id, template_id, created_at } = complete(attempt, needs.identityVerification)
  const { gave_consent = false, is_shareable = false, user = null, outcomes = [] } = attempt
  const ctx = contextOf(world, `identity verification/${id}`)
  const known = await findUserByClientUserId(ctx, client_user_id)
  await insertIdentityVerification(ctx, {
    id,
    client_user_id,
    user_id: known?.user_id ?? null,
    template_id,
    created_at: toWorldTime(world.anchor, created_at),
    gave_consent,
    is_shareable,
    user,
    outcomes: outcomes.map(({ at, ...outcome }) => ({
      ...outcome,
      ...(at === undefined ? {} : { at: toWorldTime(world.anchor, at) }),
    })),
  })
}
