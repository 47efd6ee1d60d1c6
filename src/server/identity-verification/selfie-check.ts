import type { FacialAnalysis, Selfie, SelfieAnalysis, SelfieCheck } from '#contract/closed.ts'
import type { StepState } from './step.ts'
import type { Subject } from './subject.ts'

const wholeFace: FacialAnalysis = {
  left_eye: 'success',
  right_eye: 'success',
  left_brow: 'success',
  right_brow: 'success',
  forehead: 'success',
  middle_forehead: 'success',
  nose: 'success',
  philtrum: 'success',
  mouth: 'success',
  jaw: 'success',
  left_cheek: 'success',
  right_cheek: 'success',
}

const picture: SelfieAnalysis = {
  document_comparison: 'no_input',
  liveness_check: 'failed',
  facial_analysis: null,
}

const stranger: SelfieAnalysis = {
  document_comparison: 'no_match',
  liveness_check: 'failed',
  facial_analysis: { ...wholeFace, left_brow: 'failed', right_brow: 'failed', jaw: 'failed' },
}

/** The user's selfies. A failed check saw a picture of a picture, and then another face. */
export function toSelfieCheck(subject: Subject, step: StepState, document: StepState): SelfieCheck {
  const status = step.found === 'failed' ? 'failed' : 'success'
  // Without a document there is no portrait to compare with.
  const hasPortrait = document.found === 'success'
  const compared = (analysis: SelfieAnalysis): SelfieAnalysis =>
    hasPortrait ? analysis : { ...analysis, document_comparison: 'no_input' }
  const own: SelfieAnalysis = {
    document_comparison: 'match',
    liveness_check: 'success',
    facial_analysis: wholeFace,
  }
  const last = status === 'failed' ? stranger : own
  const { selfies: uploads } = subject.uploads
  const analyses =
    uploads.length > 0
      ? uploads.map((_, index) => (index < uploads.length - 1 ? picture : last))
      : status === 'failed'
        ? [picture, stranger]
        : [own]
  const selfies = analyses.map(
    (analysis, index): Selfie => ({
      status,
      attempt: index + 1,
      capture: { image_url: linkTo(subject, index), video_url: null },
      analysis: compared(analysis),
    }),
  )
  return { status, selfies }
}

/** The selfies of a user, of which only the last one was good enough. */
export const toUploadedSelfies = (
  subject: Subject,
  status: Selfie['status'],
  last: SelfieAnalysis,
): Selfie[] =>
  subject.uploads.selfies.map(({ attempt }, index, { length }) => ({
    status: index < length - 1 ? 'failed' : status,
    attempt,
    capture: { image_url: linkTo(subject, index), video_url: null },
    analysis: index < length - 1 ? picture : last,
  }))

/** The contract knows no selfie without a link, so that of a deleted picture leads to nothing. */
function linkTo({ uploads, imageUrl }: Subject, index: number): string {
  const upload = uploads.selfies[index]
  return imageUrl(`selfie_${upload?.attempt ?? index + 1}`, upload?.pictures.selfie)
}
