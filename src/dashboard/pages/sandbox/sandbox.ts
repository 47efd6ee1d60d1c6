import { useQuery } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import { useAction } from '../../data/action.ts'
import { answerOf, api } from '../../data/api.ts'
import { onChange } from '../../data/changes.ts'
import { useList } from '../../data/list.ts'
import { useSession } from '../../data/session.ts'
import { count, timeOf } from '../../data/words.ts'

type Scope = ReturnType<typeof useSession>['scope']['value']

/** What the sandbox says of the client, without filters. */
function useOfClient<Answer>(name: string, load: (body: Scope) => Promise<Answer>, everyMs = 0) {
  const { scope, clientId } = useSession()
  return useQuery({
    queryKey: computed(() => [name, clientId.value]),
    queryFn: () => load(scope.value),
    enabled: computed(() => clientId.value !== null),
    refetchInterval: everyMs === 0 ? false : everyMs,
  })
}

const clockMs = 10_000

export const useClock = () =>
  useOfClient(
    'clock',
    (body) => answerOf(api.POST('/dashboard/api/sandbox/clock/get', { body })),
    clockMs,
  )

/** What happens next, by time. */
export function useUpcoming() {
  const { scope, clientId } = useSession()
  const body = computed(() => ({ ...scope.value, count: 10 }))
  return useList({
    key: computed(() => ['upcoming', clientId.value]),
    load: (cursor) =>
      answerOf(
        api.POST('/dashboard/api/sandbox/upcoming/list', { body: { ...body.value, cursor } }),
      ),
    rows: (page) => page.upcoming,
    live: true,
    enabled: computed(() => clientId.value !== null),
  })
}

const leftMs = 4000

/** The errors that wait for calls. A call that gets one is also a new entry of the list of requests. */
export function useInjectedErrors() {
  const query = useOfClient(
    'injected-errors',
    (body) => answerOf(api.POST('/dashboard/api/sandbox/error/list', { body })),
    leftMs,
  )
  onChange('requests', () => void query.refetch())
  return query
}

/** The operations with their errors; they are the same for all clients, and change with the service only. */
export function useErrorOptions(enabled: Ref<boolean>) {
  const { scope } = useSession()
  return useQuery({
    queryKey: ['error-options'],
    queryFn: () =>
      answerOf(api.POST('/dashboard/api/sandbox/error/option/list', { body: { ...scope.value } })),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const useSeedData = () =>
  useOfClient('seed-data', (body) =>
    answerOf(api.POST('/dashboard/api/sandbox/seed_data/get', { body })),
  )

/** How far to move the clock, or to when. */
type Move = { seconds: number } | { to: string }

export function useAdvance() {
  const { scope } = useSession()
  return useAction({
    send: (move: Move) =>
      answerOf(
        api.POST('/dashboard/api/sandbox/clock/advance', { body: { ...scope.value, ...move } }),
      ),
    labels: { to: 'Day and time', seconds: 'Advance' },
    done: ({ now }) => `The time of the client is ${timeOf(now)} now`,
  })
}

/** Exactly one thing that goes wrong. */
export type Wrong =
  | { error_code: string }
  | { delay_ms: number }
  | { drop: true }
  | { unknown_enum: true }

/** Which calls it concerns. */
interface Concerned {
  operation: string
  times: number
  item_id?: string
}

type Injection = Wrong & Concerned

export function useInject() {
  const { scope } = useSession()
  return useAction({
    send: (injection: Injection) =>
      answerOf(
        api.POST('/dashboard/api/sandbox/error/inject', { body: { ...scope.value, ...injection } }),
      ),
    labels: {
      operation: 'Operation',
      error_code: 'Error code',
      delay_ms: 'Delay in milliseconds',
      times: 'How many calls',
      item_id: 'Only calls about this Item',
    },
    done: (_answer, { operation, times }) =>
      times === 1
        ? `The error waits for the next call of ${operation}`
        : `The error waits for the next ${count(times)} calls of ${operation}`,
    changes: ['injected-errors'],
  })
}

/** Removes one injected error, or all of them. */
export function useRemoveError() {
  const { scope } = useSession()
  return useAction({
    send: (id: string | undefined) =>
      answerOf(
        api.POST('/dashboard/api/sandbox/error/remove', {
          body: { ...scope.value, ...(id === undefined ? {} : { id }) },
        }),
      ),
    done: (_answer, id) =>
      id === undefined ? 'All injected errors are removed' : 'The injected error is removed',
    changes: ['injected-errors'],
  })
}

export function useReset() {
  const { scope } = useSession()
  return useAction({
    send: () => answerOf(api.POST('/dashboard/api/sandbox/reset', { body: { ...scope.value } })),
    done: () => 'The client has the data of its start again',
  })
}

export function useCreateClient() {
  const { scope } = useSession()
  return useAction({
    send: (client_name: string) =>
      answerOf(api.POST('/dashboard/api/client/create', { body: { ...scope.value, client_name } })),
    changes: ['clients'],
    labels: { client_name: 'Name' },
  })
}

export function useRotateSecret() {
  const { scope } = useSession()
  return useAction({
    send: (grace_seconds: number) =>
      answerOf(
        api.POST('/dashboard/api/client/secret/rotate', {
          body: { ...scope.value, grace_seconds },
        }),
      ),
    changes: [],
    labels: { grace_seconds: 'The secret before it works for' },
  })
}
