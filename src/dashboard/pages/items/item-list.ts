import { computed, type MaybeRefOrGetter, toValue } from 'vue'
import { answerOf, api, type Schemas } from '../../data/api.ts'
import { useList } from '../../data/list.ts'
import { useSession } from '../../data/session.ts'

type Filters = Omit<Schemas['DashboardItemListRequest'], 'client_id' | 'cursor'>

/** The Items of the client that fit the filters. */
export function useItems(
  filters: MaybeRefOrGetter<Filters>,
  isUsable: MaybeRefOrGetter<boolean> = true,
) {
  const { scope, clientId } = useSession()
  const body = computed(() => ({ ...scope.value, ...toValue(filters) }))
  return useList({
    key: computed(() => ['items', body.value]),
    load: (cursor) =>
      answerOf(api.POST('/dashboard/api/item/list', { body: { ...body.value, cursor } })),
    rows: (page) => page.items,
    enabled: computed(() => clientId.value !== null && toValue(isUsable)),
  })
}
