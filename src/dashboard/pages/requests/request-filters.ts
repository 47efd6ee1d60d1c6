import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { answerOf, api, type Schemas } from '../../data/api.ts'
import {
  given,
  useChoiceFilter,
  useFilters,
  useMomentFilter,
  useReadFilter,
  useTextFilter,
} from '../../data/filters.ts'
import { useSession } from '../../data/session.ts'

type Asked = Schemas['DashboardRequestListRequest']
export const outcomes = ['failed', 'succeeded'] as const
type StatusAsked = Pick<Asked, 'status'> | Pick<Asked, 'status_class'>

/** A status such as 404, or a class such as 4xx. */
function readStatus(text: string): StatusAsked | undefined {
  const status = Number(text)
  if (/^[1-5]\d\d$/.test(text)) return { status }
  const status_class = (['2xx', '4xx', '5xx'] as const).find((one) => one === text.toLowerCase())
  return status_class && { status_class }
}

/** The service looks for no more at once. */
const mostOperations = 40

/** The operations and codes that calls can be looked for by; they change with the service only. */
function useOptions() {
  const { scope, clientId } = useSession()
  return useQuery({
    queryKey: ['request-options'],
    queryFn: () =>
      answerOf(api.POST('/dashboard/api/request/option/list', { body: { ...scope.value } })),
    enabled: computed(() => clientId.value !== null),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The filters of the list of calls, as they stand in the address, and what they ask for. */
export function useRequestFilters() {
  const { data: options } = useOptions()
  /** Until the service has said what there is, any text may be right. */
  const countOf = (text: string): number => {
    const has = (value: string) => value.toLowerCase().includes(text.toLowerCase())
    const fits = options.value?.operations.filter((one) => has(one.operation_id) || has(one.path))
    return fits?.length ?? 1
  }
  const readOperation = (text: string): string | undefined =>
    countOf(text) > 0 && countOf(text) <= mostOperations ? text : undefined
  const knownCode = (text: string): string | undefined =>
    options.value === undefined
      ? text
      : options.value.error_codes.find((one) => one.toLowerCase() === text.toLowerCase())

  const filters = {
    id: useReadFilter(
      'id',
      (text) => (/^[A-Za-z0-9]{1,40}$/.test(text) ? text : undefined),
      'A request id has letters and digits only.',
    ),
    operation: useReadFilter('operation', readOperation, (text) =>
      countOf(text) === 0
        ? 'No operation has this name or path.'
        : `${countOf(text)} operations fit. Enter more of the name.`,
    ),
    outcome: useChoiceFilter('outcome', outcomes),
    status: useReadFilter(
      'status',
      readStatus,
      'Enter a status such as 404, or a class: 2xx, 4xx or 5xx.',
    ),
    code: useReadFilter('code', knownCode, 'The service has no such error code.'),
    item: useTextFilter('item'),
    from: useMomentFilter('from'),
    to: useMomentFilter('to'),
  }
  const asked = computed(() => ({
    ...given({
      request_id: filters.id.value,
      operation_id: filters.operation.value,
      outcome: filters.outcome.value,
      error_code: filters.code.value,
      item_id: filters.item.value,
      from: filters.from.value,
      to: filters.to.value,
    }),
    ...filters.status.value,
  }))
  const operations = computed(() =>
    options.value?.operations.map(({ operation_id, path }) => ({
      value: path,
      name: operation_id,
    })),
  )
  const codes = computed(() => options.value?.error_codes.map((one) => ({ value: one, name: one })))
  return { filters, asked, operations, codes, ...useFilters(Object.values(filters)) }
}
