import { toTimestamp } from '../../kernel/time.ts'
import { type ListedPicture, type PictureKind, pictureMs } from './of-attempt.ts'
import type { PictureType } from './picture.ts'

/** The pictures that a user uploaded together. */
export interface Upload {
  /** Counts the uploads of a step, from 1. */
  attempt: number
  /** The types of its pictures; without one that is deleted. */
  pictures: Partial<Record<PictureKind, PictureType>>
  /** When its pictures were deleted; null while they are there. */
  redacted_at: string | null
}

/** The uploads of documents, and those of selfies, each from the first one to the last. */
export interface Uploads {
  documents: readonly Upload[]
  selfies: readonly Upload[]
}

/** Groups pictures by upload, at a real time in ms. */
export function toUploads(pictures: readonly ListedPicture[], now: number): Uploads {
  const named = pictures.map((picture) => ({ ...picture, ...partsOf(picture) }))
  const group = (isOne: (kind: PictureKind) => boolean) => {
    const chosen = named.filter(({ kind }) => isOne(kind))
    const attempts = [...new Set(chosen.map(({ attempt }) => attempt))].sort((a, b) => a - b)
    return attempts.map((attempt) =>
      toUpload(
        attempt,
        chosen.filter((one) => one.attempt === attempt),
        now,
      ),
    )
  }
  return {
    documents: group((kind) => kind !== 'selfie'),
    selfies: group((kind) => kind === 'selfie'),
  }
}

type Named = ListedPicture & { kind: PictureKind; attempt: number }

function toUpload(attempt: number, pictures: readonly Named[], now: number): Upload {
  const ends = Math.min(...pictures.map(({ stored_at }) => stored_at)) + pictureMs
  if (ends <= now) return { attempt, pictures: {}, redacted_at: toTimestamp(ends) }
  const types = Object.fromEntries(pictures.map(({ kind, type }) => [kind, type]))
  return { attempt, pictures: types, redacted_at: null }
}

function partsOf({ name }: ListedPicture): { kind: PictureKind; attempt: number } {
  const at = name.lastIndexOf('_')
  return { kind: name.slice(0, at) as PictureKind, attempt: Number(name.slice(at + 1)) }
}
