import type { Item, ApiError as ItemError, Product, WebhookError } from '#contract/closed.ts'
import { type OperationId, operations } from '#contract/operations.ts'
import { type ErrorKey, errorCatalogue } from '../../../generated/errors.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError, toEmbeddedError, toErrorFields } from '../kernel/errors.ts'
import { type ItemRow, lockItem, updateItem } from './store.ts'

const productsOf = (json: string): Product[] => JSON.parse(json)

/** The Item as every operation shows it. `error` is null, since an unhealthy Item is an error response. */
export const toItem = (row: ItemRow): Item => ({
  item_id: row.item_id,
  institution_id: row.institution_id,
  institution_name: row.institution_name,
  webhook: row.webhook,
  auth_method: row.auth_method,
  error: null,
  available_products: productsOf(row.available_products),
  billed_products: productsOf(row.billed_products),
  products: productsOf(row.products),
  consented_products: productsOf(row.consented_products),
  consent_expiration_time: row.consent_expiration_time,
  update_type: row.update_type,
})

/** Whether a product has been added to the Item. */
export const hasProduct = (item: ItemRow, product: Product): boolean =>
  productsOf(item.products).includes(product)

/** The error for a product that is refreshed before anything has read it by the operation at `path`. */
export const notEnabled = (path: string): ApiError =>
  new ApiError('ITEM_ERROR.PRODUCT_NOT_ENABLED', {
    message: `the product has not been added to this Item; read it once with \`${path}\`, then refresh`,
    action: `Call \`${path}\` once for the Item, then refresh.`,
  })

/**
 * Throws if the Item cannot provide the product now: first for its health, then for missing
 * support. With an operation it throws only errors that the operation lists.
 */
export function checkProduct(item: ItemRow, product: Product, operationId?: OperationId): void {
  rejectUnhealthy(item, product, operationId)
  const added = [...productsOf(item.products), ...productsOf(item.billed_products)]
  if (added.includes(product)) return
  if (!productsOf(item.available_products).includes(product)) {
    throw new ApiError('PRODUCTS_NOT_SUPPORTED')
  }
  if (!productsOf(item.consented_products).includes(product)) {
    throw new ApiError('ADDITIONAL_CONSENT_REQUIRED')
  }
}

/**
 * The same for reads: once the product was pulled, it stays readable in spite of errors at the
 * institution.
 */
export function checkReading(item: ItemRow, product: Product, operationId: OperationId): void {
  const key = healthError(item, product, operationId)
  const isInstitutions = key !== undefined && errorCatalogue[key].type === 'INSTITUTION_ERROR'
  if (isInstitutions && hasProduct(item, product)) return
  checkProduct(item, product, operationId)
}

/** Errors that only one product can have. */
const ownErrors: Partial<Record<ErrorKey, Product>> = {
  NO_LIABILITY_ACCOUNTS: 'liabilities',
  'ITEM_ERROR.PRODUCT_NOT_READY': 'transactions',
}

/** The error of an Item, by its bare code where the catalogue has only one of it. */
export function toHealthKey(code: string): ErrorKey {
  return (Object.hasOwn(errorCatalogue, code) ? code : `ITEM_ERROR.${code}`) as ErrorKey
}

/** The Item's health error, if it affects the product and the operation lists it. */
export function healthError(
  item: ItemRow,
  product: Product,
  operationId?: OperationId,
): ErrorKey | undefined {
  if (item.health_error === null) return undefined
  const key = toHealthKey(item.health_error)
  const concerned = item.health_products === null ? [product] : productsOf(item.health_products)
  if (!concerned.includes(product)) return undefined
  if ((ownErrors[key] ?? product) !== product) return undefined
  const listed: readonly ErrorKey[] = operationId ? operations[operationId].errors['400'] : [key]
  return listed.includes(key) ? key : undefined
}

const withReason = (item: ItemRow, key: ErrorKey): ApiError =>
  new ApiError(key, item.health_reason === null ? {} : { reason: item.health_reason })

/** Throws the health error of the Item, if it affects the product. */
export function rejectUnhealthy(item: ItemRow, product: Product, operationId?: OperationId): void {
  const key = healthError(item, product, operationId)
  if (key) throw withReason(item, key)
}

const wholeHealthError = (item: ItemRow): ApiError | null =>
  item.health_error === null ? null : withReason(item, toHealthKey(item.health_error))

/** The Item's health error, as webhooks show it. */
export function toWebhookError({ docsUrl }: Context, item: ItemRow): WebhookError | null {
  const error = wholeHealthError(item)
  return error && toEmbeddedError(error, docsUrl)
}

/** The Item's health error, as the Item itself shows it. */
export function toItemError({ docsUrl }: Context, item: ItemRow): ItemError | null {
  const error = wholeHealthError(item)
  return error && toErrorFields(error, docsUrl)
}

/** The product lists of an Item, as JSON. */
type ProductColumns = Pick<
  ItemRow,
  'available_products' | 'billed_products' | 'products' | 'consented_products'
>

/** Products that are billed per call are never listed as billed for the Item. */
const paidByCall: readonly Product[] = ['balance']

/** The product lists of an Item, from its initial and its available products. */
export function toProductColumns(lists: {
  products: readonly Product[]
  available: readonly Product[]
  consented: readonly Product[]
}): ProductColumns {
  const toJson = (products: readonly Product[]) => JSON.stringify([...new Set(products)].sort())
  const { products, available, consented } = lists
  return {
    products: toJson(products),
    billed_products: toJson(products.filter((product) => !paidByCall.includes(product))),
    available_products: toJson(available.filter((product) => !products.includes(product))),
    consented_products: toJson(consented),
  }
}

/** Adds a product that the source of an Item gives, as far as its data has shown. */
export async function addGiven(ctx: Context, item: ItemRow, product: Product): Promise<void> {
  if (hasProduct(item, product)) return
  const changes = toProductColumns({
    products: [...productsOf(item.products), product],
    available: productsOf(item.available_products),
    consented: [...productsOf(item.consented_products), product],
  })
  await updateItem(ctx, item.item_id, changes)
}

/** Adds a product at its first use: moves it from the available to the billed products. */
export async function addProduct(ctx: Context, item: ItemRow, product: Product): Promise<ItemRow> {
  if (hasProduct(item, product)) return item
  // A concurrent call may add another product.
  const latest = await lockItem(ctx, item.item_id)
  const changes = toProductColumns({
    products: [...productsOf(latest.products), product],
    available: productsOf(latest.available_products),
    consented: productsOf(latest.consented_products),
  })
  await updateItem(ctx, item.item_id, changes)
  return { ...latest, ...changes }
}
