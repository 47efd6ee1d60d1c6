import type { Context } from '../kernel/context.ts'

/** An answer that is stored with the key of its request. */
interface StoredAnswer {
  fingerprint: string
  /** Encrypted JSON. */
  answer: string
}

/** The answer of the client with this key, unless it was stored before `since`, in real ms. */
export const findStoredAnswer = (
  ctx: Context,
  keyHash: string,
  since: number,
): Promise<StoredAnswer | undefined> =>
  ctx.own.first<StoredAnswer>(
    `select fingerprint, answer from idempotency_keys
      where client_id = $1 and key_hash = $2 and stored_at > $3`,
    [keyHash, since],
  )

/** Stores an answer, in place of an expired one with the same key. */
export const putStoredAnswer = (
  ctx: Context,
  keyHash: string,
  { fingerprint, answer }: StoredAnswer,
): Promise<number> =>
  ctx.own.run(
    `insert into idempotency_keys (client_id, key_hash, fingerprint, answer, stored_at)
      values ($1, $2, $3, $4, $5)
      on conflict (client_id, key_hash) do update
        set fingerprint = excluded.fingerprint, answer = excluded.answer,
          stored_at = excluded.stored_at`,
    [keyHash, fingerprint, answer, ctx.realMs()],
  )
