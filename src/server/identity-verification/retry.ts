import type { Context } from '../kernel/context.ts'
import { inventedOf, startAttempt, userOf } from './attempt.ts'
import type { AttemptRow, TemplateRow } from './store.ts'

/** Another attempt of the same user, with what is known of them. */
export const startRetry = (ctx: Context, template: TemplateRow, previous: AttemptRow): AttemptRow =>
  startAttempt(ctx, template, {
    client_user_id: previous.client_user_id,
    user_id: previous.user_id,
    previous_attempt_id: previous.id,
    gave_consent: previous.gave_consent === 1,
    is_shareable: previous.share_key !== null,
    // The new session has no IP address yet.
    user: { ...userOf(ctx, previous), ip_address: null },
    invented: inventedOf(previous).filter((name) => name !== 'ip_address'),
  })
