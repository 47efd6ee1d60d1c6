import type { Context } from '../kernel/context.ts'
import type { PageToken } from '../link/link-token-store.ts'

/** Who runs a page, and for whom. */
export interface RunBy {
  host: string
  client: string
}

/** What the end of a page says. */
export const runBy = (
  { publicUrl }: Pick<Context, 'publicUrl'>,
  { client_name }: Pick<PageToken, 'client_name'>,
): RunBy => ({ host: new URL(publicUrl).host, client: client_name })
