import type { AttemptRow } from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { Filter } from '../filter.ts'

/** An attempt without what is known of its user. */
export type ListedAttempt = Pick<
  AttemptRow,
  | 'id'
  | 'client_user_id'
  | 'template_id'
  | 'template_version'
  | 'previous_attempt_id'
  | 'status'
  | 'steps'
  | 'review_closed'
  | 'created_at'
  | 'completed_at'
>

/** Those that a reviewer has to look at: the condition of an index, word by word. */
export const inQueue = " and status in ('failed', 'pending_review') and review_closed = 0"

/** The client's attempts before one of them, the newest first. */
export const listVerificationPage = (
  ctx: Context,
  before: Pick<ListedAttempt, 'created_at' | 'id'>,
  limit: number,
  filter: Filter,
) =>
  ctx.own.all<ListedAttempt>(
    `select id, client_user_id, template_id, template_version, previous_attempt_id, status, steps,
        review_closed, created_at, completed_at
      from identity_verifications
      where client_id = $1 and (created_at, id) < ($2, $3)${filter.sql}
      order by created_at desc, id desc limit $4`,
    [before.created_at, before.id, limit, ...filter.values],
  )
