import type { Item, Product } from '../../../generated/2020-09-14/types.ts'
import type { ErrorKey } from '../../../generated/errors.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { type ItemRow, updateProducts } from './store.ts'

const productsOf = (json: string): Product[] => JSON.parse(json)

/** The Item as every operation shows it; its error is told by refusals, so it is null here. */
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

/** Refuses when the Item cannot give the product now: its health first, then what it can do. */
export function checkProduct(item: ItemRow, product: Product): void {
  refuseUnhealthy(item, product)
  const added = [...productsOf(item.products), ...productsOf(item.billed_products)]
  if (added.includes(product)) return
  if (!productsOf(item.available_products).includes(product)) {
    throw new ApiError('PRODUCTS_NOT_SUPPORTED')
  }
  if (!productsOf(item.consented_products).includes(product)) {
    throw new ApiError('ADDITIONAL_CONSENT_REQUIRED')
  }
}

/** The code of what is wrong with the Item, where that concerns the product. */
export function healthError(item: ItemRow, product: Product): ErrorKey | undefined {
  if (item.health_error === null) return undefined
  const concerned = item.health_products === null ? null : productsOf(item.health_products)
  if (concerned !== null && !concerned.includes(product)) return undefined
  return item.health_error as ErrorKey
}

/** Refuses with what is wrong with the Item, where that concerns the product. */
export function refuseUnhealthy(item: ItemRow, product: Product): void {
  const key = healthError(item, product)
  if (!key) return
  throw new ApiError(key, item.health_reason === null ? {} : { reason: item.health_reason })
}

/** Adds a product at its first use: from what is available to what is billed, and never both. */
export async function addProduct(ctx: Context, item: ItemRow, product: Product): Promise<ItemRow> {
  if (hasProduct(item, product)) return item
  const without = productsOf(item.available_products).filter((name) => name !== product)
  const products = [...productsOf(item.products), product].sort()
  const billed = [...new Set([...productsOf(item.billed_products), product])].sort()
  const changed = {
    ...item,
    available_products: JSON.stringify(without),
    products: JSON.stringify(products),
    billed_products: JSON.stringify(billed),
  }
  await updateProducts(ctx, changed)
  return changed
}
