import { createHash } from 'node:crypto'
import { checkPicture } from './check-picture.ts'
import { drawCard, drawFace } from './draw-sample.ts'
import type { Picture } from './picture.ts'

/** What the check of a sample finds. */
export type SampleOutcome = 'success' | 'failed' | 'pending_review' | 'blurred'

/** A picture for the sandbox, drawn by the service: of no person, and of no country's document. */
interface Sample {
  kind: 'document' | 'document_back' | 'selfie'
  outcome: SampleOutcome
  draw(): Uint8Array
}

/** The pictures to use in the sandbox, by name. */
export const samples = {
  document: {
    kind: 'document',
    outcome: 'success',
    draw: () => drawCard('SAMPLE', 'PASS', 'front'),
  },
  document_back: {
    kind: 'document_back',
    outcome: 'success',
    draw: () => drawCard('SAMPLE', 'PASS', 'back'),
  },
  document_failed: {
    kind: 'document',
    outcome: 'failed',
    draw: () => drawCard('SAMPLE', 'FAIL', 'front'),
  },
  document_blurred: {
    kind: 'document',
    outcome: 'blurred',
    draw: () => drawCard('SAMPLE', 'BLURRED', 'front'),
  },
  document_review: {
    kind: 'document',
    outcome: 'pending_review',
    draw: () => drawCard('SAMPLE', 'REVIEW', 'front'),
  },
  selfie: { kind: 'selfie', outcome: 'success', draw: () => drawFace('SAMPLE', 'PASS') },
  selfie_failed: { kind: 'selfie', outcome: 'failed', draw: () => drawFace('SAMPLE', 'FAIL') },
  selfie_review: {
    kind: 'selfie',
    outcome: 'pending_review',
    draw: () => drawFace('SAMPLE', 'REVIEW'),
  },
} as const satisfies Record<string, Sample>

export type SampleName = keyof typeof samples

export const sampleNames = Object.keys(samples) as SampleName[]

const drawn = new Map<SampleName, { bytes: Uint8Array; hash: string }>()

/** A sample as a file. */
export const samplePicture = (name: SampleName): Uint8Array => drawOnce(name).bytes

/** The sample that somebody uploaded; undefined for another picture. */
export function sampleOf(picture: Picture): SampleName | undefined {
  const hash = hashOf(picture.bytes)
  return sampleNames.find((name) => drawOnce(name).hash === hash)
}

function drawOnce(name: SampleName): { bytes: Uint8Array; hash: string } {
  const known = drawn.get(name)
  if (known) return known
  const picture = checkPicture(samples[name].draw())
  if ('problem' in picture) throw new Error(`the sample ${name} is ${picture.problem}`)
  const made = { bytes: picture.bytes, hash: hashOf(picture.bytes) }
  drawn.set(name, made)
  return made
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
