import { dayMs } from '../../kernel/time.ts'
import type { AttemptRow } from '../store.ts'
import type { PictureType } from './picture.ts'

/** What a picture shows. */
export type PictureKind = 'original_front' | 'original_back' | 'selfie'

/** A picture of an attempt; the number is the one of the upload, from 1. */
export type PictureName = `${PictureKind}_${number}`

/** A picture that was uploaded in an attempt. */
export interface ListedPicture {
  name: PictureName
  type: PictureType
  /** In real ms. */
  stored_at: number
}

/** How long a picture is kept. Reviewers decide in days, and nobody needs it later. */
export const pictureMs = 90 * dayMs

/** The pictures that were uploaded in an attempt, the oldest first. */
export const picturesOf = ({ pictures }: Pick<AttemptRow, 'pictures'>): ListedPicture[] =>
  JSON.parse(pictures)

export const withPicture = (row: AttemptRow, picture: ListedPicture): AttemptRow => ({
  ...row,
  pictures: JSON.stringify([...picturesOf(row), picture]),
})
