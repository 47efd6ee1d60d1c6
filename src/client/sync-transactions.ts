import type { CurrentVersion, Version } from '../../generated/client.ts'
import type { Call, RequestBody, ResponseBody } from './call.ts'
import type { Calling, PageOptions } from './paginate.ts'
import { ServiceError } from './service-error.ts'

type Page<V extends Version> = ResponseBody<'transactionsSync', V>

/** Every change since a cursor, as of one moment. */
export interface TransactionsUpdate<V extends Version = CurrentVersion> {
  added: Page<V>['added']
  modified: Page<V>['modified']
  removed: Page<V>['removed']
  /** The accounts that have transactions, with cached balances. */
  accounts: Page<V>['accounts']
  transactions_update_status: Page<V>['transactions_update_status']
  /** Where the next update goes on: store it in the same transaction as the lists. */
  cursor: string
}

/** How often an update that the data changed under is begun again. */
const restarts = 5

/**
 * Reads all changes of an Item's transactions since a cursor, and returns them together with the
 * cursor to store. Pages are kept until the last one is there. When the data changes between two of
 * them, it starts over from your cursor, so the lists are of one moment.
 *
 * Without a cursor it reads everything. Store `added` and `modified` by `transaction_id`, delete
 * `removed`, and store `cursor`, all in one transaction of your database.
 *
 * @throws {@link ServiceError} when the service refuses, after five restarts also with the code
 * `TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION`; and whatever else a call rejects with.
 * @example
 * ```ts
 * import { createClient, syncTransactions } from 'financial-data-service'
 *
 * const client = createClient({
 *   baseUrl: 'http://127.0.0.1:4000',
 *   clientId: 'sandbox-client',
 *   secret: 'sandbox-secret',
 * })
 * const { added, modified, removed, cursor } = await syncTransactions(client, {
 *   access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001',
 * })
 * console.log(added.length > 0, modified.length, removed.length, cursor !== '')
 * ```
 */
export async function syncTransactions<V extends Version>(
  client: Calling<'transactionsSync', V>,
  body: RequestBody<'transactionsSync', V>,
  options?: PageOptions,
): Promise<TransactionsUpdate<V>> {
  const call = client.transactionsSync as unknown as Method<V>
  for (let restart = 0; ; restart++) {
    try {
      return await readUpdate(call, body, options)
    } catch (error) {
      if (restart === restarts || !isMutation(error)) throw error
    }
  }
}

type Body<V extends Version> = RequestBody<'transactionsSync', V>
/** The same for every version, which the compiler cannot see for a `V` that is still open. */
type Method<V extends Version> = (body: Body<V>, options?: PageOptions) => Call<Page<V>>

const isMutation = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.error_code === 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION'

async function readUpdate<V extends Version>(
  call: Method<V>,
  body: Body<V>,
  options?: PageOptions,
): Promise<TransactionsUpdate<V>> {
  const added: Page<V>['added'] = []
  const modified: Page<V>['modified'] = []
  const removed: Page<V>['removed'] = []
  for (let next = body; ; ) {
    const page = await call(next, options).orThrow()
    added.push(...(page.added as never[]))
    modified.push(...(page.modified as never[]))
    removed.push(...(page.removed as never[]))
    const { accounts, transactions_update_status, next_cursor: cursor } = page
    if (!page.has_more) {
      return { added, modified, removed, accounts, transactions_update_status, cursor }
    }
    next = { ...body, cursor }
  }
}
