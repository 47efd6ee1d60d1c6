import type { Queries } from '../../kernel/database.ts'

/** The retention limits of a client. */
export interface RetentionLimits {
  /** How many of the latest webhooks are kept. */
  webhooks: number
  /** In real ms, as the next four. */
  now: number
  /** Webhooks that ended earlier are deleted, and rate-limit windows that began earlier. */
  endedBefore: number
  windowBefore: number
  /** Webhooks for listeners that were stored earlier are deleted. */
  listenedBefore: number
  /** Jobs whose last attempt failed earlier are deleted. */
  deadBefore: number
  /** Rows that an import staged earlier are deleted: it was cut off. */
  stagedBefore: number
  /** Pictures that were uploaded earlier are deleted. */
  picturesBefore: number
  /** Answers with an Idempotency-Key that were stored earlier are deleted. */
  answersBefore: number
  /** Calls that were stored earlier are deleted. */
  callsBefore: number
  /** By the client's clock: counts of earlier hours are deleted. */
  countsBefore: string
  /** Ms by the client's clock: tokens that expired earlier are deleted. */
  expiredBefore: number
}

/** Deletes a batch of a client's old rows, and returns their number. */
export type Step = (db: Queries, clientId: string, limits: RetentionLimits) => Promise<number>

// A long statement would delay other users of the database.
const atOnce = 100
/** A picture has megabytes. */
const picturesAtOnce = 10

/** A batch of clients after an id, in the order of their ids, with their clock offsets. */
export const listClientsAfter = (db: Queries, clientId: string) =>
  db.all<{ client_id: string; clock_offset_ms: number }>(
    `select client_id, clock_offset_ms from clients where client_id > $1
      order by client_id limit ${atOnce}`,
    [clientId],
  )

export const findClockOffset = (db: Queries, clientId: string) =>
  db.first<{ clock_offset_ms: number }>(
    'select clock_offset_ms from clients where client_id = $1',
    [clientId],
  )

/**
 * Deletes a batch of a client's old webhooks with their attempts, and returns their number. The
 * latest webhook is always kept: the next one is numbered after it, and cursors contain such
 * numbers.
 */
export const deleteEndedWebhooks: Step = async (db, clientId, { webhooks, endedBefore }) => {
  const old = await db.all<{ webhook_id: string }>(
    `select webhook_id from webhook_deliveries
      where client_id = $1 and due_at is null
        and sequence <
          (select max(sequence) from webhook_deliveries where client_id = $1)
        and (ended_at < $2 or sequence <= $3 +
          (select max(sequence) from webhook_deliveries where client_id = $1))
      order by sequence limit ${atOnce}`,
    [clientId, endedBefore, -webhooks],
  )
  if (old.length === 0) return 0
  // Keeps a webhook whose delivery was requested again.
  const gone = await db.all<{ webhook_id: string }>(
    `delete from webhook_deliveries
      where client_id = $1 and due_at is null and webhook_id in (${places})
      returning webhook_id`,
    [clientId, ...idsOf(old)],
  )
  await db.run(`delete from webhook_attempts where client_id = $1 and webhook_id in (${places})`, [
    clientId,
    ...idsOf(gone),
  ])
  return gone.length
}

/** Deletes a batch of the webhooks that were stored for listeners, but for the latest: the next one is numbered after it. */
export const deleteListened: Step = (db, clientId, { listenedBefore }) =>
  db.run(
    `delete from listened_webhooks where client_id = $1 and sequence in
      (select sequence from listened_webhooks where client_id = $1 and stored_at < $2
        and sequence < (select max(sequence) from listened_webhooks where client_id = $1)
        order by stored_at limit ${atOnce})`,
    [clientId, listenedBefore],
  )

/** The parameters after the first, for any number of ids. */
const places = Array.from({ length: atOnce }, (_, place) => `$${place + 2}`).join(', ')

const filled = (values: readonly string[]): string[] =>
  Array.from({ length: atOnce }, (_, place) => values[place] ?? '')

const idsOf = (rows: readonly { webhook_id: string }[]): string[] =>
  filled(rows.map(({ webhook_id }) => webhook_id))

/** Sets `ended_at` of webhooks that older versions ended without it. Returns how many. */
export const markEnded: Step = async (db, clientId, { now }) => {
  const ended = await db.all<{ webhook_id: string }>(
    `select webhook_id from webhook_deliveries
      where client_id = $1 and due_at is null and ended_at is null
      order by sequence limit ${atOnce}`,
    [clientId],
  )
  if (ended.length === 0) return 0
  const ids = idsOf(ended)
  return db.run(
    `update webhook_deliveries set ended_at = $${atOnce + 2}
      where client_id = $1 and due_at is null and webhook_id in (${places})`,
    [clientId, ...ids, now],
  )
}

/**
 * Deletes a batch of a client's long expired tokens, and returns their number. Tokens that were
 * derived from one get its parent as their new parent. So revoking that parent still revokes them.
 */
export const deleteExpiredTokens: Step = async (db, clientId, { expiredBefore }) => {
  const tokens = await db.all<{ token_id: string }>(
    `select token_id from oauth_tokens where client_id = $1 and expires_at < $2
      order by expires_at limit ${atOnce}`,
    [clientId, expiredBefore],
  )
  for (const { token_id } of tokens) {
    await db.run(
      `update oauth_tokens set parent_id =
         (select gone.parent_id from oauth_tokens gone
           where gone.client_id = $1 and gone.token_id = $2)
        where parent_id = $2`,
      [clientId, token_id],
    )
    await db.run('delete from oauth_tokens where client_id = $1 and token_id = $2', [
      clientId,
      token_id,
    ])
  }
  return tokens.length
}

/** Deletes a batch of a client's long expired public tokens, and returns their number. */
export const deleteExpiredPublicTokens: Step = (db, clientId, { expiredBefore }) =>
  db.run(
    `delete from public_tokens where client_id = $1 and token_hash in
      (select token_hash from public_tokens where client_id = $1 and expires_at < $2
        order by expires_at limit ${atOnce})`,
    [clientId, expiredBefore],
  )

/** Deletes a batch of a client's long expired link tokens with their sessions. Returns their number. */
export const deleteExpiredLinkTokens: Step = async (db, clientId, { expiredBefore }) => {
  const old = await db.all<{ token_hash: string }>(
    `select token_hash from link_tokens where client_id = $1 and expires_at < $2
      order by expires_at limit ${atOnce}`,
    [clientId, expiredBefore],
  )
  if (old.length === 0) return 0
  const given = [clientId, ...filled(old.map(({ token_hash }) => token_hash))]
  await db.run(
    `delete from link_sessions where client_id = $1 and token_hash in (${places})`,
    given,
  )
  return db.run(`delete from link_tokens where client_id = $1 and token_hash in (${places})`, given)
}

/** Deletes a batch of a client's long expired sessions of the verification page. */
export const deleteExpiredVerificationSessions: Step = (db, clientId, { expiredBefore }) =>
  db.run(
    `delete from verification_sessions where client_id = $1 and session_id in
      (select session_id from verification_sessions where client_id = $1 and expires_at < $2
        order by expires_at limit ${atOnce})`,
    [clientId, expiredBefore],
  )

/**
 * Deletes counts of past minutes, and returns their number. They are few, since this runs often.
 */
export const deleteOldWindows: Step = (db, clientId, { windowBefore }) =>
  db.run('delete from rate_windows where client_id = $1 and window_start < $2', [
    clientId,
    windowBefore,
  ])

/** Deletes a batch of a client's old dead jobs, and returns their number. */
export const deleteDeadJobs: Step = (db, clientId, { deadBefore }) =>
  db.run(
    `delete from dead_jobs where client_id = $1 and job_id in
      (select job_id from dead_jobs where client_id = $1 and failed_at < $2
        order by failed_at limit ${atOnce})`,
    [clientId, deadBefore],
  )

/** Deletes a batch of the rows that imports of a client staged long ago, and returns their number. */
export const deleteOldStaged: Step = (db, clientId, { stagedBefore }) =>
  db.run(
    `delete from staged_rows where client_id = $1 and (import_id, place) in
      (select import_id, place from staged_rows where client_id = $1 and staged_at < $2
        order by staged_at limit ${atOnce})`,
    [clientId, stagedBefore],
  )

/** Deletes a batch of a client's answers whose keys have expired, and returns their number. */
export const deleteOldAnswers: Step = (db, clientId, { answersBefore }) =>
  db.run(
    `delete from idempotency_keys where client_id = $1 and key_hash in
      (select key_hash from idempotency_keys where client_id = $1 and stored_at <= $2
        order by stored_at limit ${atOnce})`,
    [clientId, answersBefore],
  )

/** A row holds the calls of a moment, so few rows are deleted at once. */
export const deleteOldCalls: Step = (db, clientId, { callsBefore }) =>
  db.run(
    `delete from request_log where client_id = $1 and sequence in
      (select sequence from request_log where client_id = $1 and stored_at < $2
        order by stored_at limit ${atOnce})`,
    [clientId, callsBefore],
  )

export const deleteOldCounts: Step = (db, clientId, { countsBefore }) =>
  db.run('delete from request_counts where client_id = $1 and hour < $2', [clientId, countsBefore])

/** Deletes a batch of a client's old pictures, and returns their number. */
export const deleteOldPictures: Step = async (db, clientId, { picturesBefore }) => {
  const old = await db.all<{ attempt_id: string; name: string }>(
    `select attempt_id, name from identity_verification_pictures
      where client_id = $1 and stored_at <= $2 order by stored_at limit ${picturesAtOnce}`,
    [clientId, picturesBefore],
  )
  for (const { attempt_id, name } of old) {
    const key = [clientId, attempt_id, name]
    await db.run(
      `delete from identity_verification_picture_parts
        where client_id = $1 and attempt_id = $2 and name = $3`,
      key,
    )
    await db.run(
      `delete from identity_verification_pictures
        where client_id = $1 and attempt_id = $2 and name = $3`,
      key,
    )
  }
  return old.length
}
