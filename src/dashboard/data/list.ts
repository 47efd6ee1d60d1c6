import { useInfiniteQuery } from '@tanstack/vue-query'
import { computed, type MaybeRefOrGetter, type Ref, toValue } from 'vue'
import { isTold, onChange } from './changes.ts'

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
/** While the service says what changes, which is all that the first page shows in most cases. */
const toldRefreshMs = 60_000

/** A list that is read page by page. */
export function useList<Answer extends Page, Row>(options: ListOptions<Answer, Row>) {
  // Older pages would be fetched again too, and a reader of those is not waiting for new rows.
  const isLive = (pages: number) => toValue(options.live) === true && pages <= 1
  const query = useInfiniteQuery({
    queryKey: computed(() => toValue(options.key)),
    queryFn: ({ pageParam }) => options.load(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Answer) => page.next_cursor,
    refetchInterval: computed(() => {
      const everyMs = isTold.value ? toldRefreshMs : refreshMs
      return ({ state }: { state: { data?: { pages: unknown[] } | undefined } }) =>
        isLive(state.data?.pages.length ?? 0) ? everyMs : false
    }),
    enabled: computed(() => toValue(options.enabled) ?? true),
  })
  onChange(String(toValue(options.key)[0]), () => {
    if (isLive(query.data.value?.pages.length ?? 0)) void query.refetch()
  })
  const rows = computed(() => query.data.value?.pages.flatMap(options.rows) ?? [])
  return { ...query, rows }
}
