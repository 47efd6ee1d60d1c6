import { computed, type MaybeRefOrGetter, toValue } from 'vue'
import { answerOf, api, type Schemas } from '../../data/api.ts'
import { useList } from '../../data/list.ts'
import { useSession } from '../../data/session.ts'

type Filters = Omit<Schemas['DashboardWebhookListRequest'], 'client_id' | 'cursor'>

/** The deliveries of the client that fit the filters. */
export function useWebhooks(
  filters: MaybeRefOrGetter<Filters>,
  live: MaybeRefOrGetter<boolean> = false,
  isUsable: MaybeRefOrGetter<boolean> = true,
) {
  const { scope, clientId } = useSession()
  const body = computed(() => ({ ...scope.value, ...toValue(filters) }))
  return useList({
    key: computed(() => ['webhooks', body.value]),
    load: (cursor) =>
      answerOf(api.POST('/dashboard/api/webhook/list', { body: { ...body.value, cursor } })),
    rows: (page) => page.webhooks,
    live,
    enabled: computed(() => clientId.value !== null && toValue(isUsable)),
  })
}

export type WebhookList = ReturnType<typeof useWebhooks>
