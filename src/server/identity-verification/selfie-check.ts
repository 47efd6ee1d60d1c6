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
  const analyses = status === 'failed' ? [picture, stranger] : [own]
  const selfies = analyses.map(
    (analysis, index): Selfie => ({
      status,
      attempt: index + 1,
      capture: { image_url: subject.imageUrl(`selfie_${index + 1}`), video_url: null },
      analysis: compared(analysis),
    }),
  )
  return { status, selfies }
}
