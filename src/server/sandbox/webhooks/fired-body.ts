import type { AssetReportError } from '#contract/closed.ts'
import { webhooks } from '#contract/operations.ts'
import type { ErrorKey } from '../../../../generated/errors.ts'
import { webhooks as undatedWebhooks } from '../../../../generated/undated.ts'
import { listAccounts } from '../../items/account-store.ts'
import type { ItemRow } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError, toCause, toEmbeddedError } from '../../kernel/errors.ts'
import { toDate } from '../../kernel/time.ts'
import type { WebhookBodyOf, WebhookName } from '../../kernel/webhook-body.ts'
import { firstOf, initialDays } from '../../transactions/pull.ts'
import { countShown } from './store.ts'

/** The input of a webhook that a test fires without an event. */
interface Fired {
  ctx: Context
  item: ItemRow
  /** The error in its payload. */
  failure: ApiError | null
}

type Bodies = { [Name in WebhookName]?: (fired: Fired) => Promise<WebhookBodyOf<Name>> }

/** Bodies with more data of this Item than `asExample` has. */
const bodies: Bodies = {
  async 'IDENTITY.DEFAULT_UPDATE'(fired) {
    const [account] = await listAccounts(fired.ctx, fired.item.item_id)
    const { item_id, error } = aboutItem(fired)
    const account_ids_with_updated_identity: Record<string, ('PHONES' | 'ADDRESSES')[]> = account
      ? { [account.account_id]: ['PHONES', 'ADDRESSES'] }
      : {}
    return { item_id, account_ids_with_updated_identity, error }
  },
  async 'ITEM.ERROR'(fired) {
    return aboutFailure(fired, 'ITEM_LOGIN_REQUIRED')
  },
  async 'ITEM.USER_PERMISSION_REVOKED'(fired) {
    return aboutFailure(fired, 'USER_PERMISSION_REVOKED')
  },
  async 'TRANSACTIONS.SYNC_UPDATES_AVAILABLE'({ item }) {
    const historical = item.transactions_status === 'HISTORICAL_UPDATE_COMPLETE'
    return {
      item_id: item.item_id,
      initial_update_complete: historical || item.transactions_status === 'INITIAL_UPDATE_COMPLETE',
      historical_update_complete: historical,
    }
  },
  async 'TRANSACTIONS.INITIAL_UPDATE'({ ctx, item, failure }) {
    const { since } = await countShown(ctx, item.item_id, firstOf(toDate(ctx.now), initialDays))
    // In the contract the error of this webhook is a string.
    return { item_id: item.item_id, new_transactions: since, error: failure?.code ?? null }
  },
  async 'TRANSACTIONS.HISTORICAL_UPDATE'(fired) {
    const { ctx, item } = fired
    const { before } = await countShown(ctx, item.item_id, firstOf(toDate(ctx.now), initialDays))
    const { item_id, error } = aboutItem(fired)
    return { item_id, new_transactions: before, error }
  },
  async 'TRANSACTIONS.DEFAULT_UPDATE'(fired) {
    const { ctx, item, failure } = fired
    const { since } = await countShown(ctx, item.item_id, toDate(ctx.now))
    const { item_id, error } = aboutItem(fired)
    // Reports at least one new transaction, or zero with an error.
    return { item_id, new_transactions: failure ? 0 : Math.max(1, since), error }
  },
  async 'TRANSACTIONS.TRANSACTIONS_REMOVED'(fired) {
    const { item_id, error } = aboutItem(fired)
    // A random id, so a receiver that deletes the named transaction keeps those that exist.
    return { item_id, removed_transactions: [fired.ctx.newId('opaque')], error }
  },
  async 'ASSETS.PRODUCT_READY'({ ctx, item }) {
    return { ...aboutReport(ctx, item), report_type: 'FULL' }
  },
  async 'ASSETS.ERROR'({ ctx, item, failure }) {
    const causes = failure ? [toCause(failure.key, item.item_id)] : []
    const key = failure ? 'DATA_UNAVAILABLE' : 'ASSET_REPORT_GENERATION_FAILED'
    const error = toEmbeddedError(new ApiError(key, { causes }), ctx.docsUrl)
    return { ...aboutReport(ctx, item), error: error as AssetReportError }
  },
}

/** A body that is valid for the Item in any state. */
export const toFiredBody = async <Name extends WebhookName>(
  name: Name,
  fired: Fired,
): Promise<WebhookBodyOf<Name>> => bodies[name]?.(fired) ?? asExample(name, fired)

const described = { ...undatedWebhooks, ...webhooks }

/** The contract's example of a webhook, with the ids of this Item. */
function asExample<Name extends WebhookName>(name: Name, fired: Fired): WebhookBodyOf<Name> {
  const { webhook_type: _, webhook_code: __, environment: ___, ...rest } = described[name].example
  const own = Object.entries(aboutItem(fired)).filter(([field]) => field in rest)
  // The contract's tests hold each example against the schema of its body.
  return { ...rest, ...Object.fromEntries(own) } as unknown as WebhookBodyOf<Name>
}

const aboutItem = ({ ctx, item, failure }: Fired) => ({
  item_id: item.item_id,
  error: failure && toEmbeddedError(failure, ctx.docsUrl),
})

/** The Item with an error, also where the request names none. */
const aboutFailure = ({ ctx, item, failure }: Fired, usual: ErrorKey) => ({
  item_id: item.item_id,
  error: toEmbeddedError(failure ?? new ApiError(usual), ctx.docsUrl),
})

const aboutReport = (ctx: Context, item: ItemRow) => ({
  asset_report_id: ctx.newId('uuid'),
  ...(item.user_id === null ? {} : { user_id: item.user_id }),
})
