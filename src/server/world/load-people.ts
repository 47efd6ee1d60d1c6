import type { WorldDashboardUser, WorldUser } from '../../../generated/sandbox/types.ts'
import { insertDashboardUser } from '../users/dashboard-store.ts'
import { insertUser } from '../users/store.ts'
import { complete, contextOf, type WorldContext } from './world-context.ts'
import { needs } from './world-needs.ts'
import { toWorldTime } from './world-time.ts'

export async function loadUsers(world: WorldContext, users: readonly WorldUser[]): Promise<void> {
  for (const { remove: _, ...user } of users) {
    await insertUser(contextOf(world, `user/${user.client_user_id}`), user)
  }
}

export async function loadDashboardUsers(
  world: WorldContext,
  users: readonly WorldDashboardUser[],
): Promise<void> {
  for (const user of users) {
    const { id, email_address } = complete(user, needs.dashboardUser)
    await insertDashboardUser(world.ctx, {
      id,
      email_address,
      status: user.status ?? 'invited',
      created_at: toWorldTime(world.anchor, user.created_at ?? '0 days'),
    })
  }
}
