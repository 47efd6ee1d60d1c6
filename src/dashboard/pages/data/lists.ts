import { computed, type MaybeRefOrGetter, toValue } from 'vue'
import { answerOf, api, type Schemas } from '../../data/api.ts'
import { useList } from '../../data/list.ts'
import { useSession } from '../../data/session.ts'

/** The filters of a list, without what each list has. */
type FiltersOf<Request extends keyof Schemas> = MaybeRefOrGetter<
  Omit<Schemas[Request], 'client_id' | 'cursor'>
>
type Usable = MaybeRefOrGetter<boolean>
type Scope = ReturnType<typeof useSession>['scope']['value']

interface ListChoices {
  live?: boolean
  /** Whether all filters can be used. */
  isUsable?: Usable
}

interface Page {
  next_cursor: string | null
}

/** A list of the client by its filters. */
function useFiltered<Filters extends object, Answer extends Page, Row>(
  name: string,
  filters: MaybeRefOrGetter<Filters>,
  load: (body: Scope & Filters & { cursor: string | null }) => Promise<Answer>,
  rows: (page: Answer) => Row[],
  { live = false, isUsable = true }: ListChoices = {},
) {
  const { scope, clientId } = useSession()
  const body = computed(() => ({ ...scope.value, ...toValue(filters) }))
  return useList({
    key: computed(() => [name, body.value]),
    load: (cursor) => load({ ...body.value, cursor }),
    rows,
    enabled: computed(() => clientId.value !== null && toValue(isUsable)),
    live,
  })
}

export const useReports = (filters: FiltersOf<'DashboardReportListRequest'>, isUsable: Usable) =>
  useFiltered(
    'reports',
    filters,
    (body) => answerOf(api.POST('/dashboard/api/report/list', { body })),
    (page) => page.reports,
    { live: true, isUsable },
  )

export const useWallets = (filters: FiltersOf<'DashboardWalletListRequest'>, isUsable: Usable) =>
  useFiltered(
    'wallets',
    filters,
    (body) => answerOf(api.POST('/dashboard/api/wallet/list', { body })),
    (page) => page.wallets,
    { isUsable },
  )

export const useTransfers = (
  filters: FiltersOf<'DashboardTransferListRequest'>,
  isUsable: Usable,
) =>
  useFiltered(
    'transfers',
    filters,
    (body) => answerOf(api.POST('/dashboard/api/transfer/list', { body })),
    (page) => page.transfers,
    { isUsable },
  )

export const useBankTransfers = () =>
  useFiltered(
    'bank-transfers',
    { count: 20 },
    (body) => answerOf(api.POST('/dashboard/api/bank_transfer/list', { body })),
    (page) => page.bank_transfers,
  )

export const useEndUsers = (filters: FiltersOf<'DashboardEndUserListRequest'>) =>
  useFiltered(
    'end-users',
    filters,
    (body) => answerOf(api.POST('/dashboard/api/end_user/list', { body })),
    (page) => page.users,
  )

export const useInstitutions = (
  filters: FiltersOf<'DashboardInstitutionListRequest'>,
  isUsable: Usable,
) =>
  useFiltered(
    'institutions',
    filters,
    (body) => answerOf(api.POST('/dashboard/api/institution/list', { body })),
    (page) => page.institutions,
    { isUsable },
  )
