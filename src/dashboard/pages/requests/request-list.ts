import { computed, type MaybeRefOrGetter, toValue } from 'vue'
import { answerOf, api, type Schemas } from '../../data/api.ts'
import { useList } from '../../data/list.ts'
import { useSession } from '../../data/session.ts'

type Filters = Omit<Schemas['DashboardRequestListRequest'], 'client_id' | 'cursor'>

/** The calls of the client that fit the filters. */
export function useRequests(
  filters: MaybeRefOrGetter<Filters>,
  live: MaybeRefOrGetter<boolean> = false,
  isUsable: MaybeRefOrGetter<boolean> = true,
) {
  const { scope, clientId } = useSession()
  const body = computed(() => ({ ...scope.value, ...toValue(filters) }))
  return useList({
    key: computed(() => ['requests', body.value]),
    load: (cursor) =>
      answerOf(api.POST('/dashboard/api/request/list', { body: { ...body.value, cursor } })),
    rows: (page) => page.requests,
    live,
    enabled: computed(() => clientId.value !== null && toValue(isUsable)),
  })
}

export type RequestList = ReturnType<typeof useRequests>
