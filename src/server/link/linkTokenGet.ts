import { findInstitution } from '../institutions/store.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { toTimestamp } from '../kernel/time.ts'
import { toLinkSession } from './link-session.ts'
import { toLinkTokenMetadata } from './link-token.ts'
import { listLinkSessions, requireLinkToken } from './link-token-store.ts'

export const linkTokenGet: HandlerOf<'linkTokenGet'> = async (ctx, { body }) => {
  const token = await requireLinkToken(ctx, body.link_token)
  const { link_token, created_at, institution_id } = token
  const institution = institution_id === null ? null : await findInstitution(ctx, institution_id)
  const sessions = await listLinkSessions(ctx, link_token)
  return {
    link_token,
    created_at,
    expiration: toTimestamp(token.expires_at),
    metadata: toLinkTokenMetadata(
      token,
      institution ? { institution_id: institution.institution_id, name: institution.name } : null,
    ),
    link_sessions: sessions.map((session) => toLinkSession(ctx, session)),
  }
}
linkTokenGet.reads = true
