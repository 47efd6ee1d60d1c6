import { pagination } from '#contract/client-table.ts'
import type { CurrentVersion, Version } from '../../generated/client.ts'
import type { Call, CallOptions, OperationId, RequestBody, ResponseBody } from './call.ts'

/** The name of an operation that answers in pages. */
export type PaginatedOperationId = keyof typeof pagination

type Lists<Id extends PaginatedOperationId> = (typeof pagination)[Id]['items']

/** A client that has the operation. To compare whole clients takes a compiler seconds. */
export type Calling<Id extends OperationId, V extends Version> = { readonly version: V } & {
  readonly [Each in Id]: (body: never, options?: never) => unknown
}

/** What a page of an operation holds; where it holds several lists, the page itself. */
export type Item<Id extends PaginatedOperationId, V extends Version = CurrentVersion> =
  Lists<Id> extends readonly [infer List extends keyof ResponseBody<Id, V>]
    ? ResponseBody<Id, V>[List] extends readonly (infer Each)[]
      ? Each
      : never
    : ResponseBody<Id, V>

/** The items of a list, read page by page as they are asked for. */
export interface Paginated<Each, Page> extends AsyncIterable<Each> {
  /** The pages instead of their items. */
  pages(): AsyncIterable<Page>
}

/**
 * Reads a list to its end: the items of all pages, or with `.pages()` page by page. Nothing is asked
 * for ahead, so that leaving the loop ends the calls too. It starts where the body says, and each
 * page has the size that the body asks for.
 *
 * `transactionsSync` has three lists, so its items are its pages; {@link syncTransactions} makes one
 * batch of them. `transactionsGet` counts from the newest transaction: what arrives while you read
 * moves the rest along, and a transaction can come twice.
 *
 * @throws {@link ServiceError} when the service refuses a page, and whatever else a call rejects with.
 * @example
 * ```ts
 * import { createClient, paginate } from 'financial-data-service'
 *
 * const client = createClient({
 *   baseUrl: 'http://127.0.0.1:4000',
 *   clientId: 'sandbox-client',
 *   secret: 'sandbox-secret',
 * })
 * for await (const wallet of paginate(client, 'walletList', { count: 20 })) {
 *   console.log(wallet.wallet_id, wallet.balance.current)
 * }
 * ```
 */
export function paginate<Id extends PaginatedOperationId, V extends Version>(
  client: Calling<Id, V>,
  operationId: Id,
  body: RequestBody<Id, V>,
  options?: PageOptions,
): Paginated<Item<Id, V>, ResponseBody<Id, V>> {
  const { items } = pagination[operationId]
  // The table and the methods come from one contract; that they agree is beyond the compiler.
  const method = client[operationId as never] as Method
  const pages = () => readPages(method, pagination[operationId], body as never, options)
  async function* each() {
    for await (const page of pages()) {
      if (items.length > 1) yield page
      else yield* page[items[0]] as Body[]
    }
  }
  return { pages, [Symbol.asyncIterator]: each } as never
}

/** Settings of every call; the version is the client's. */
export type PageOptions = Omit<CallOptions, 'version'>

type Body = Record<string, unknown>
type Method = (body: Body, options?: PageOptions) => Call<Body>

/** How a contract says that an operation pages, with everything that one style or another has. */
export interface Style {
  style: string
  request: string
  response?: string
  has_more?: string
  total?: string
  items: readonly string[]
}

async function* readPages(call: Method, style: Style, first: Body, options?: PageOptions) {
  for (let body: Body | undefined = first; body; ) {
    const page: Body = await call(body, options).orThrow()
    yield page
    body = nextBody(style, body, page)
  }
}

/** The body that asks for the page after this one, or undefined after the last. */
export function nextBody(style: Style, body: Body, page: Body): Body | undefined {
  const { request, response = '', has_more, total } = style
  const items = page[style.items[0] ?? ''] as Body[]
  if (style.style === 'cursor') {
    const cursor = page[response]
    return (has_more ? page[has_more] : cursor) ? { ...body, [request]: cursor } : undefined
  }
  if (items.length === 0) return undefined
  if (style.style === 'after_id') return { ...body, [request]: items.at(-1)?.[response] }
  const [outer = '', inner = ''] = request.split('.')
  const options = body[outer] as Body | undefined
  const offset = Number(options?.[inner] ?? 0) + items.length
  return offset < Number(page[total ?? ''])
    ? { ...body, [outer]: { ...options, [inner]: offset } }
    : undefined
}
