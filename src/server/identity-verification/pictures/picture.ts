/** What a picture may be: the types that phones and browsers send. */
export type PictureType = 'jpeg' | 'png'

/** A picture that was checked. Its bytes hold nothing but what a browser needs to show it. */
export interface Picture {
  type: PictureType
  width: number
  height: number
  bytes: Uint8Array
}

/** A picture as it is sent to browsers. */
export type ServedImage = Pick<Picture, 'type' | 'bytes'>

/** Why a picture was rejected. */
export type PictureProblem =
  | 'empty'
  | 'too_large'
  | 'wrong_type'
  | 'broken'
  | 'too_many_pixels'
  | 'too_small'

/** A picture that cannot be used. */
export class RejectedPicture extends Error {
  readonly problem: PictureProblem
  constructor(problem: PictureProblem) {
    super(problem)
    this.problem = problem
  }
}

/** The most bytes of a picture. A phone's picture of a document has 2 to 6 MB. */
export const mostPictureBytes = 8 * 1024 * 1024
/** A browser that shows a picture needs 4 bytes for each pixel. */
const mostPixels = 50_000_000
const longestSide = 12_000
/** Text on a document cannot be read below this. */
const shortestSide = 200

/** Rejects a size that nobody can read, or that a browser needs too much memory to show. */
export function checkSize(width: number, height: number): void {
  if (width === 0 || height === 0) throw new RejectedPicture('broken')
  if (width * height > mostPixels || Math.max(width, height) > longestSide) {
    throw new RejectedPicture('too_many_pixels')
  }
  if (Math.min(width, height) < shortestSide) throw new RejectedPicture('too_small')
}
