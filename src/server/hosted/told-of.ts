import type { Context } from '../kernel/context.ts'
import { toLinkSession } from '../link/link-session.ts'
import type { OpenSession } from './change-session.ts'
import type { Told } from './teller.ts'

/**
 * What the window that opened a page may know of its session. Its origin must be the one that the
 * user is sent back to: nobody else gets the public token. Other schemes than http have no origin.
 */
export function toldOf(ctx: Context, { token, session }: OpenSession): Told | undefined {
  if (token.redirect_uri === null || !/^https?:/i.test(token.redirect_uri)) return undefined
  const { origin } = new URL(token.redirect_uri)
  const results = session.results === null ? null : ctx.keys.decrypt(session.results)
  return { origin, session: toLinkSession(ctx, { ...session, results }) }
}
