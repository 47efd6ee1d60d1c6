import { computed, type MaybeRefOrGetter, toValue } from 'vue'
import { answerOf, api, type Schemas } from '../../data/api.ts'
import { useList } from '../../data/list.ts'
import { useSession } from '../../data/session.ts'

type Filters<Body> = MaybeRefOrGetter<Omit<Body, 'client_id' | 'cursor'>>

interface Page {
  next_cursor: string | null
}

/** A list of the client by its filters. */
function useFiltered<Body extends object, Answer extends Page, Row>(
  name: string,
  filters: Filters<Body>,
  load: (body: Body & { cursor: string | null }) => Promise<Answer>,
  rows: (page: Answer) => Row[],
  isLive?: MaybeRefOrGetter<boolean>,
) {
  const { scope, clientId } = useSession()
  const body = computed(() => ({ ...scope.value, ...toValue(filters) }) as unknown as Body)
  return useList({
    key: computed(() => [name, body.value]),
    load: (cursor) => load({ ...body.value, cursor }),
    rows,
    enabled: computed(() => clientId.value !== null),
    ...(isLive === undefined ? {} : { live: isLive }),
  })
}

export const useReports = (filters: Filters<Schemas['DashboardReportListRequest']>) =>
  useFiltered(
    'reports',
    filters,
    (body: Schemas['DashboardReportListRequest']) =>
      answerOf(api.POST('/dashboard/api/report/list', { body })),
    (page) => page.reports,
    true,
  )

export const useWallets = (filters: Filters<Schemas['DashboardWalletListRequest']>) =>
  useFiltered(
    'wallets',
    filters,
    (body: Schemas['DashboardWalletListRequest']) =>
      answerOf(api.POST('/dashboard/api/wallet/list', { body })),
    (page) => page.wallets,
  )

export const useTransfers = (filters: Filters<Schemas['DashboardTransferListRequest']>) =>
  useFiltered(
    'transfers',
    filters,
    (body: Schemas['DashboardTransferListRequest']) =>
      answerOf(api.POST('/dashboard/api/transfer/list', { body })),
    (page) => page.transfers,
  )

export const useEndUsers = (filters: Filters<Schemas['DashboardEndUserListRequest']>) =>
  useFiltered(
    'end-users',
    filters,
    (body: Schemas['DashboardEndUserListRequest']) =>
      answerOf(api.POST('/dashboard/api/end_user/list', { body })),
    (page) => page.users,
  )

export const useInstitutions = (filters: Filters<Schemas['DashboardInstitutionListRequest']>) =>
  useFiltered(
    'institutions',
    filters,
    (body: Schemas['DashboardInstitutionListRequest']) =>
      answerOf(api.POST('/dashboard/api/institution/list', { body })),
    (page) => page.institutions,
  )
