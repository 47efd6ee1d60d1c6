import type { Context } from '../kernel/context.ts'
import { writePageKey } from '../kernel/page-key.ts'

/** The path of the hosted pages of link tokens. */
export const hostedLinkPath = '/hosted/link'

/** The address of the page that a key opens. */
export const toHostedLinkUrl = (
  { client, publicUrl }: Pick<Context, 'client' | 'publicUrl'>,
  secret: string,
): string => `${publicUrl}${hostedLinkPath}/${writePageKey({ clientId: client.client_id, secret })}`
