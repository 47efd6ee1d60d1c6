import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Database } from '../server/kernel/database.ts'
import { dayMs } from '../server/kernel/time.ts'
import { findNextDelivery } from '../server/queue/due-webhook-store.ts'
import { findNextDue } from '../server/queue/job-store.ts'
import { type Image, imageFolder, readImage, removeOld, writeImage } from './image-file.ts'
import { programId } from './program-id.ts'

/** Everything that decides what a new world holds, beside the day. */
export interface WorldWish {
  fixture: { name: string; text: string } | undefined
  seed: string | undefined
  fixtureDate: string | undefined
}

/** A place for the image of one world; `latest` of this process needs no reading. */
export interface ImagePlace {
  name: string
  file: string
  folder: string
}

let latest: { name: string; image: Image } | undefined

/** Where the image of a world is kept; undefined where none can be. */
export function placeOf({ fixture, seed, fixtureDate }: WorldWish): ImagePlace | undefined {
  const program = programId()
  const folder = program === undefined ? undefined : imageFolder()
  if (folder === undefined) return undefined
  const wish = [program, process.version, seed, fixtureDate, fixture?.text]
  const name = createHash('sha256').update(JSON.stringify(wish)).digest('hex').slice(0, 32)
  return { name, folder, file: join(folder, `${name}.image`) }
}

/** The image at a place, if it is what a new world would be now. */
export function findImage({ name, file }: ImagePlace, now: number): Image | undefined {
  const image = latest?.name === name ? latest.image : readImage(file)
  if (image && isFresh(image, now)) {
    latest = { name, image }
    return image
  }
  return undefined
}

const isFresh = ({ from, until }: Image, now: number): boolean => from <= now && now < until

/** Keeps a world that was made between `from` and now, unless the next one would be another. */
export async function keepImage(
  { name, file, folder }: ImagePlace,
  image: Omit<Image, 'until'>,
  due: number | null,
): Promise<void> {
  // Each day has its own history; and what is due has been done in no new world.
  const until = Math.min(nextDay(image.from), due ?? Number.POSITIVE_INFINITY)
  const kept = { ...image, until }
  if (!isFresh(kept, Date.now())) return
  latest = { name, image: kept }
  await writeImage(file, kept)
  await removeOld(folder, Date.now())
}

const nextDay = (now: number): number => now - (now % dayMs) + dayMs

/** When the first work of a world is due, in real time. */
export const findFirstDue = (database: Database): Promise<number | null> =>
  database.read(async (db) => {
    const dues = [await findNextDue(db, 0), await findNextDelivery(db, 0)]
    const known = dues.filter((due) => due !== null)
    return known.length === 0 ? null : Math.min(...known)
  })
