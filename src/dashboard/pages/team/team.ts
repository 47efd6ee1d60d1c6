import { useQueryClient } from '@tanstack/vue-query'
import { computed } from 'vue'
import { answerOf, api, type Schemas } from '../../data/api.ts'
import { useList } from '../../data/list.ts'
import { Problem } from '../../data/problem.ts'
import { useSession } from '../../data/session.ts'
import { tell } from '../../data/toasts.ts'

export type TeamUser = Schemas['DashboardTeamUser']
export type TeamSession = Schemas['DashboardTeamSession']
export type Role = Schemas['DashboardRole']

export const roles: Record<Role, { text: string; means: string }> = {
  reviewer: { text: 'Reviewer', means: 'Sees personal data, and decides about verifications.' },
  developer: {
    text: 'Developer',
    means: 'Sees calls, Items and webhooks. Sees no personal data in production.',
  },
  admin: { text: 'Admin', means: 'May do everything, and manages the team.' },
}
export const roleNames = Object.keys(roles) as Role[]

/** The users of the client. */
export function useTeamUsers() {
  const { scope, clientId } = useSession()
  return useList({
    key: computed(() => ['team', clientId.value, 'users']),
    load: (cursor) =>
      answerOf(api.POST('/dashboard/api/team/list', { body: { ...scope.value, cursor } })),
    rows: (page) => page.users,
    enabled: computed(() => clientId.value !== null),
  })
}

/** The users and the sessions of the client, and what an admin does with them. */
export function useTeam() {
  const { scope, clientId } = useSession()
  const client = useQueryClient()
  const enabled = computed(() => clientId.value !== null)
  const users = useTeamUsers()
  const sessions = useList({
    key: computed(() => ['team', clientId.value, 'sessions']),
    load: (cursor) =>
      answerOf(api.POST('/dashboard/api/team/session/list', { body: { ...scope.value, cursor } })),
    rows: (page) => page.sessions,
    enabled,
  })

  /** Does something, says so, and reads both lists again. */
  async function attempt<Done>(work: () => Promise<Done>, done: string): Promise<Done | undefined> {
    try {
      const result = await work()
      if (done !== '') tell(done)
      return result
    } catch (error) {
      const problem = error instanceof Problem ? error : undefined
      const advice = problem?.code === 'LAST_ADMIN' ? ` ${problem.action}` : ''
      tell(problem ? problem.message + advice : 'It failed', { isError: true })
      return undefined
    } finally {
      await client.invalidateQueries({ queryKey: ['team'] })
    }
  }

  type Invited = { email_address: string; role: Role }
  type Change = { user_id: string; role?: Role; disabled?: boolean }
  type Ended = { session_id: string } | { user_id: string }
  return {
    users,
    sessions,
    invite: (body: Invited) =>
      answerOf(
        api.POST('/dashboard/api/team/invite', { body: { ...scope.value, ...body } }),
      ).finally(() => client.invalidateQueries({ queryKey: ['team'] })),
    createLink: (user_id: string) =>
      attempt(
        () =>
          answerOf(
            api.POST('/dashboard/api/team/link/create', { body: { ...scope.value, user_id } }),
          ),
        '',
      ),
    change: (body: Change, done: string) =>
      attempt(
        () =>
          answerOf(api.POST('/dashboard/api/team/update', { body: { ...scope.value, ...body } })),
        done,
      ),
    end: (body: Ended) =>
      attempt(
        () =>
          answerOf(
            api.POST('/dashboard/api/team/session/end', { body: { ...scope.value, ...body } }),
          ),
        'The session has ended',
      ),
  }
}
