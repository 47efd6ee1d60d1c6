import { useInfiniteQuery } from '@tanstack/vue-query'
import { computed, type MaybeRefOrGetter, type Ref, toValue } from 'vue'

interface Page {
  next_cursor: string | null
}

interface ListOptions<Answer extends Page, Row> {
  /** What the list depends on: with another key it is another list. */
  key: MaybeRefOrGetter<readonly unknown[]>
  load(cursor: string | null): Promise<Answer>
  rows(page: Answer): Row[]
  /** Whether to fetch the first page again every few seconds. */
  live?: MaybeRefOrGetter<boolean>
  enabled?: MaybeRefOrGetter<boolean>
}

/** What a table needs of a list. */
export interface PagedList<Row> {
  rows: Ref<Row[]>
  isPending: Ref<boolean>
  error: Ref<Error | null>
  hasNextPage: Ref<boolean>
  isFetchingNextPage: Ref<boolean>
  fetchNextPage(): unknown
  refetch(): unknown
}

const refreshMs = 4000

/** A list that is read page by page. */
export function useList<Answer extends Page, Row>(options: ListOptions<Answer, Row>) {
  const query = useInfiniteQuery({
    queryKey: computed(() => toValue(options.key)),
    queryFn: ({ pageParam }) => options.load(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Answer) => page.next_cursor,
    // Older pages would be fetched again too, and a reader of those is not waiting for new rows.
    refetchInterval: (running) => {
      const isLive = toValue(options.live) && (running.state.data?.pages.length ?? 0) <= 1
      return isLive ? refreshMs : false
    },
    enabled: computed(() => toValue(options.enabled) ?? true),
  })
  const rows = computed(() => query.data.value?.pages.flatMap(options.rows) ?? [])
  return { ...query, rows }
}
