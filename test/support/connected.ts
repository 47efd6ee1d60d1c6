import { putListed } from '../../src/server/institutions/list-store.ts'
import { toListedRow } from '../../src/server/institutions/listed-row.ts'
import { noteInstitutionChange } from '../../src/server/institutions/search-store.ts'
import type { Context } from '../../src/server/kernel/context.ts'
import { newId } from '../../src/server/kernel/ids.ts'
import { simplefin as protocol } from '../../src/server/protocols/simplefin/simplefin.ts'
import { type Question, RejectedAnswer } from '../../src/server/sources/connector.ts'
import { pulledConnector } from '../../src/server/sources/pulled-connector.ts'
import type { Tenant, TestService } from './service.ts'
import type { SimplefinServer } from './simplefin-server.ts'
import { inContext } from './transactions-fixtures.ts'

const simplefin = pulledConnector(protocol)

/** The settings of a service that may call servers on this machine. */
export const loopbackSettings = {
  environment: 'production',
  reportDelayMs: 0,
  callTargets: 'loopback',
} as const

export const institutionId = 'ins_100001'

/** Lists the server as the institution SimpleFIN. */
export async function listServer(
  { service }: Pick<TestService, 'service'>,
  { host }: Pick<SimplefinServer, 'host'>,
  more: object = {},
): Promise<void> {
  const row = toListedRow(
    {
      institution_id: institutionId,
      name: 'SimpleFIN',
      country_codes: ['US'],
      products: ['assets', 'transactions'],
      connector: 'simplefin',
      settings: { hosts: [host], ...more },
    },
    '2026-01-01T00:00:00Z',
  )
  await service.database.transaction(async (db) => {
    await putListed(db, [row])
    await noteInstitutionChange(db, '', newId('opaque', 'production'))
  })
}

interface Wanted {
  token: string
  /** The Item of update mode. */
  itemId?: string
  /** Goes on with the authorization that the Item has, if the source still accepts it. */
  resumes?: boolean
  daysRequested?: number
  /** Which accounts are shared, by their id. */
  share?: (id: string) => boolean
  settings?: object
  webhook?: string | null
  expiresAt?: string
  /** Lets time pass where the page asks the user to wait. */
  onWait?(): void
}

/** Links an Item by a setup token, as the hosted pages do. */
export async function connect(
  service: TestService,
  tenant: Tenant,
  server: Pick<SimplefinServer, 'host'>,
  wanted: Wanted,
) {
  const { itemId = null, daysRequested = 30, share = () => true } = wanted
  const settings = { hosts: [server.host], ...wanted.settings }
  const institution = { institution_id: institutionId, name: 'SimpleFIN', settings }
  const read = <Result>(work: (ctx: Context) => Promise<Result>) => inContext(service, tenant, work)
  const back = { address: 'https://service.example.com/return', state: 'state' }
  const { clientId } = tenant
  const whom = { clientId, institution, itemId, daysRequested }
  const ask = { service: service.service, ...whom, back, read, write: read }
  const { resumes = false } = wanted
  const open = (ctx: Context) => simplefin.resume?.(ctx, itemId ?? '') ?? Promise.resolve(undefined)
  let question: Question = (resumes && (await read(open))) || simplefin.first(institution)
  const fields = { setup_token: wanted.token }
  for (;;) {
    const step = await simplefin.authorize(ask, question, { fields }).catch((error: unknown) => {
      if (resumes && error instanceof RejectedAnswer && error.next) return error.next
      throw error
    })
    if (step.kind === 'done') {
      const { secret, accounts: found } = step
      const accounts = (found ?? []).flatMap((account) => {
        if (!account.isKnown && !share(account.name ?? '')) return []
        return [{ ...account, kind: { type: 'depository', subtype: 'checking' } as const }]
      })
      return inContext(service, tenant, async (ctx) => {
        const linked = await simplefin.link(ctx, {
          institution,
          itemId,
          clientUserId: 'ada',
          userId: null,
          webhook: wanted.webhook ?? null,
          daysRequested,
          products: ['transactions'],
          secret,
          expiresAt: wanted.expiresAt ?? null,
          accounts,
        })
        if ('state' in linked) throw new Error('a source is linked at once')
        return { ...linked, item_id: linked.item.item_id, access_token: linked.access_token ?? '' }
      })
    }
    if (step.kind === 'wait') wanted.onWait?.()
    question = step
  }
}
