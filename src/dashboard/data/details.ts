import { useQuery } from '@tanstack/vue-query'
import { computed, type MaybeRefOrGetter, toValue } from 'vue'
import { useSession } from './session.ts'

interface DetailOptions<Answer> {
  /** What it is, and which one. */
  key: readonly [kind: string, id: string]
  load(scope: { client_id?: string }): Promise<Answer>
  /** Whether it is about to change: it is fetched again every few seconds then. */
  isWaiting?(answer: Answer): boolean
  enabled?: MaybeRefOrGetter<boolean>
}

const refreshMs = 2000

/** One object of the client. */
export function useDetails<Answer>({ key, load, isWaiting, enabled }: DetailOptions<Answer>) {
  const { scope, clientId } = useSession()
  return useQuery({
    queryKey: computed(() => [key[0], clientId.value, key[1]]),
    queryFn: () => load(scope.value),
    enabled: computed(() => clientId.value !== null && (toValue(enabled) ?? true)),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isWaiting?.(state.data as Answer) ? refreshMs : false,
  })
}
