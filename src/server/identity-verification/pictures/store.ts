import { createSecretKey, type KeyObject } from 'node:crypto'
import { insertRow } from '../../db/insert-rows.ts'
import type { Context } from '../../kernel/context.ts'
import type { Queries } from '../../kernel/database.ts'
import type { Keys } from '../../kernel/keys.ts'
import { randomBytes } from '../../kernel/random-bytes.ts'
import { seal, unseal } from '../../kernel/seal.ts'
import type { AttemptRow } from '../store.ts'
import { type PictureName, picturesOf, withPicture } from './of-attempt.ts'
import type { Picture, PictureType, ServedImage } from './picture.ts'

/** A whole picture in one statement would need several times its size in memory. */
const partBytes = 256 * 1024

/** Which picture. */
interface Key {
  client_id: string
  attempt_id: string
  name: string
}

/** Says for what a part was encrypted: no part can take another one's place. */
const boundTo = ({ client_id, attempt_id, name }: Key, part: number, count: number): string =>
  ['picture', client_id, attempt_id, name, part, count].join('\n')

/**
 * Writes a picture, encrypted with a key of its own, and returns the attempt that lists it. The caller
 * writes that attempt in the same transaction.
 */
export async function insertPicture(
  ctx: Context,
  attempt: AttemptRow,
  name: PictureName,
  { type, bytes }: Picture,
): Promise<AttemptRow> {
  const key = { client_id: ctx.client.client_id, attempt_id: attempt.id, name }
  const secret = randomBytes(32)
  const stored_at = ctx.realMs()
  const picture_key = ctx.keys.encrypt(secret.toString('base64url'))
  await insertRow(ctx, 'identity_verification_pictures', { ...key, type, picture_key, stored_at })
  const count = Math.ceil(bytes.length / partBytes)
  const sealing = createSecretKey(secret)
  for (let part = 0; part < count; part += 1) {
    const plain = bytes.subarray(part * partBytes, (part + 1) * partBytes)
    const sealed = seal(sealing, plain, boundTo(key, part, count))
    await insertRow(ctx, 'identity_verification_picture_parts', { ...key, part, sealed })
  }
  return withPicture(attempt, { name, type, stored_at })
}

/** The same in place of a picture that was not sent to a check yet. */
export async function replacePicture(
  ctx: Context,
  attempt: AttemptRow,
  name: PictureName,
  picture: Picture,
): Promise<AttemptRow> {
  const others = picturesOf(attempt).filter((one) => one.name !== name)
  if (others.length === picturesOf(attempt).length)
    return insertPicture(ctx, attempt, name, picture)
  for (const table of ['identity_verification_pictures', 'identity_verification_picture_parts']) {
    await ctx.own.run(
      `delete from ${table} where client_id = $1 and attempt_id = $2 and name = $3`,
      [attempt.id, name],
    )
  }
  return insertPicture(ctx, { ...attempt, pictures: JSON.stringify(others) }, name, picture)
}

/** A stored picture; undefined if there is none of this name, or none any more. */
export async function readPicture(
  db: Queries,
  keys: Keys,
  key: Key,
): Promise<ServedImage | undefined> {
  const { client_id, attempt_id, name } = key
  const values = [client_id, attempt_id, name]
  const row = await db.first<{ type: PictureType; picture_key: string }>(
    `select type, picture_key from identity_verification_pictures
      where client_id = $1 and attempt_id = $2 and name = $3`,
    values,
  )
  if (!row) return undefined
  const parts = await db.all<{ sealed: string }>(
    `select sealed from identity_verification_picture_parts
      where client_id = $1 and attempt_id = $2 and name = $3 order by part`,
    values,
  )
  const opening = createSecretKey(Buffer.from(keys.decrypt(row.picture_key), 'base64url'))
  return { type: row.type, bytes: openParts(opening, key, parts) }
}

const openParts = (opening: KeyObject, key: Key, parts: readonly { sealed: string }[]): Buffer =>
  Buffer.concat(
    parts.map(({ sealed }, part) => unseal(opening, sealed, boundTo(key, part, parts.length))),
  )
