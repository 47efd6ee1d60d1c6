import { queryOptions, useQuery } from '@tanstack/vue-query'
import { computed, ref } from 'vue'
import { answerOf, api, type Schemas } from './api.ts'
import { queryClient } from './query-client.ts'

export type Session = Schemas['DashboardSession']

/** Who is signed in. It changes only by signing in or out. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () =>
    (await answerOf(api.POST('/dashboard/api/session/get', { body: {} }))).session,
  staleTime: Number.POSITIVE_INFINITY,
})

/** How a user can sign in from this browser. */
export const optionsQuery = queryOptions({
  queryKey: ['session', 'options'],
  queryFn: () => answerOf(api.POST('/dashboard/api/session/options/get', { body: {} })),
  staleTime: Number.POSITIVE_INFINITY,
})

/** What proves who the user is; nothing for the user of a sandbox on this machine. */
export type Proof = Schemas['DashboardSessionBeginRequest']

const nextKey = 'dashboard-next'

/** Leaves for the identity provider, which sends the browser back to the sign-in page. */
export async function signInAtProvider(next: string | undefined): Promise<void> {
  const { url } = await answerOf(api.POST('/dashboard/api/session/redirect', { body: {} }))
  sessionStorage.setItem(nextKey, next ?? '/')
  location.assign(url)
}

/** The page that was asked for before the browser left. */
export function takeNext(): string | undefined {
  const next = sessionStorage.getItem(nextKey) ?? undefined
  sessionStorage.removeItem(nextKey)
  return next
}

/** Begins a session. */
export async function signIn(body: Proof = {}): Promise<void> {
  const { session } = await answerOf(api.POST('/dashboard/api/session/begin', { body }))
  // Of another user nothing may be left. What is shown is fetched again.
  queryClient.removeQueries({ type: 'inactive' })
  queryClient.setQueryData(sessionQuery.queryKey, session)
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}

/** Ends the session. The browser loads the page again, so that its memory holds no data. */
export async function signOut(): Promise<void> {
  await answerOf(api.POST('/dashboard/api/session/end', { body: {} }))
  location.assign('/dashboard/sign-in?out=1')
}

/** Who may look at calls, and use what only a sandbox has. */
export const technicalRoles = ['developer', 'admin'] as const

const chosenKey = 'dashboard-client'

/** The client that an operator looks at. */
const chosenClient = ref(sessionStorage.getItem(chosenKey))

export function chooseClient(clientId: string): void {
  chosenClient.value = clientId
  sessionStorage.setItem(chosenKey, clientId)
}

/** Who is signed in, and whose data is shown. */
export function useSession() {
  const { data: session } = useQuery(sessionQuery)
  const { data: clients } = useQuery({
    queryKey: ['clients'],
    queryFn: async () =>
      (await answerOf(api.POST('/dashboard/api/client/list', { body: { count: 100 } }))).clients,
    enabled: computed(() => session.value !== undefined),
    staleTime: 60_000,
  })
  const clientId = computed(() => {
    if (session.value?.is_operator === false) return session.value.client_id
    const known = clients.value?.find(({ client_id }) => client_id === chosenClient.value)
    return (known ?? clients.value?.[0])?.client_id ?? null
  })
  const client = computed(() =>
    clients.value?.find(({ client_id }) => client_id === clientId.value),
  )
  /** What names the client in requests: only operators have to. */
  const scope = computed(() => {
    const isOperator = session.value?.is_operator ?? false
    return isOperator && clientId.value !== null ? { client_id: clientId.value } : {}
  })
  /** Whether the user may let things happen that only happen by themselves in production. */
  const canSimulate = computed(
    () =>
      session.value?.environment === 'sandbox' &&
      technicalRoles.some((role) => role === session.value?.role),
  )
  return { session, clients, client, clientId, scope, canSimulate }
}
