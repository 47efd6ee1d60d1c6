import type {
  AamvaVerification,
  DocumentAnalysis,
  DocumentaryVerification,
  DocumentFraudAnalysis,
  DocumentHumanReview,
  DocumentImageChecks,
  DocumentImages,
  DocumentStatus,
  DocumentSubmission,
} from '#contract/closed.ts'
import { type IdentityDocument, toIdentityDocument } from './document.ts'
import type { Upload } from './pictures/uploads.ts'
import type { StepState } from './step.ts'
import type { Subject } from './subject.ts'

const sharp: DocumentImageChecks = {
  glare_check: 'success',
  dimensions_check: 'success',
  blur_check: 'success',
}

const blurred: DocumentImageChecks = { ...sharp, blur_check: 'failed' }
const glaring: DocumentImageChecks = { ...sharp, glare_check: 'failed' }

const genuine: DocumentFraudAnalysis = {
  type_supported: 'success',
  portrait_presence_check: 'success',
  portrait_details_check: 'success',
  image_composition_check: 'success',
  integrity_check: 'success',
  detail_check: 'success',
  issue_date_check: 'success',
}

/** What a state's records answer about a license that it issued. */
const confirmed: AamvaVerification = {
  is_verified: true,
  id_number: 'match',
  id_issue_date: 'match',
  id_expiration_date: 'match',
  street: 'match',
  city: 'match',
  postal_code: 'match',
  date_of_birth: 'match',
  gender: 'no_data',
  height: 'no_data',
  eye_color: 'no_data',
  first_name: 'match',
  middle_name: 'no_data',
  last_name: 'match',
}

/**
 * The user's uploads. A failed check had three: two with mistakes of the user, after which pictures
 * can be sent again, and one that is no picture of a genuine document.
 */
export function toDocumentaryVerification(
  subject: Subject,
  step: StepState,
): DocumentaryVerification {
  const document = toIdentityDocument(subject)
  const last = toLast(subject, step, document)
  const documents =
    subject.uploads.documents.length > 0
      ? toUploadedDocuments(subject, last)
      : invent(subject, step, last, document)
  return { status: step.status, documents }
}

/** The uploads of a user, of which only the last one was good enough. */
export const toUploadedDocuments = (
  subject: Subject,
  last: DocumentSubmission,
): DocumentSubmission[] =>
  subject.uploads.documents.map((upload, index, { length }) => {
    const isLast = index === length - 1
    const shown = isLast ? last : unreadable(subject, upload.attempt, flawed(subject, upload))
    return { ...shown, ...toUploaded(subject, upload) }
  })

/** Three uploads of a failed check, else one. */
function invent(
  subject: Subject,
  { found }: StepState,
  last: DocumentSubmission,
  { hasBack }: IdentityDocument,
): DocumentSubmission[] {
  if (found !== 'failed') return [last]
  return [
    unreadable(subject, 1, blurred),
    unreadable(subject, 2, glaring),
    { ...last, attempt: 3, images: toImages(subject, 3, hasBack) },
  ]
}

/** What was wrong with an upload after which the user was asked again. */
const flawed = ({ evidence }: Subject, { attempt }: Upload): DocumentImageChecks =>
  evidence.documents?.find(({ upload }) => upload === attempt)?.flaw === 'glaring'
    ? glaring
    : blurred

/** What the user sent, as it was sent: nothing cuts it out. */
function toUploaded(
  subject: Subject,
  { attempt, pictures, redacted_at }: Upload,
): Pick<DocumentSubmission, 'attempt' | 'images' | 'redacted_at'> {
  const link = (name: 'original_front' | 'original_back') =>
    pictures[name] ? subject.imageUrl(`${name}_${attempt}`, pictures[name]) : null
  return {
    attempt,
    redacted_at,
    images: {
      original_front: link('original_front'),
      original_back: link('original_back'),
      cropped_front: null,
      cropped_back: null,
      face: null,
    },
  }
}

function toLast(
  subject: Subject,
  step: StepState,
  { data, hasBack, isLicense }: IdentityDocument,
): DocumentSubmission {
  const status: DocumentStatus = step.found === 'failed' ? 'failed' : 'success'
  return {
    status: step.status === 'manually_approved' ? 'manually_approved' : status,
    attempt: 1,
    images: toImages(subject, 1, hasBack),
    extracted_data: data,
    analysis: toAnalysis(subject, step, isLicense),
    redacted_at: null,
  }
}

function toAnalysis({ user }: Subject, step: StepState, isLicense: boolean): DocumentAnalysis {
  const failed = step.found === 'failed'
  return {
    authenticity: failed ? 'no_match' : 'match',
    image_quality: failed ? 'medium' : 'high',
    extracted_data: {
      name: user.name === null ? 'no_data' : 'match',
      date_of_birth: user.date_of_birth === null ? 'no_data' : 'match',
      expiration_date: 'not_expired',
      issuing_country: 'match',
    },
    fraud_analysis_details: failed
      ? { ...genuine, image_composition_check: 'failed', integrity_check: 'failed' }
      : genuine,
    image_quality_details: sharp,
    human_review: toReview(step),
    aamva_verification: isLicense && !failed ? confirmed : null,
  }
}

function toReview({ status }: StepState): DocumentHumanReview | null {
  if (status === 'manually_approved') return { status: 'success' }
  return status === 'manually_rejected' ? { status: 'failed' } : null
}

/** An upload on which nothing could be read. */
function unreadable(
  subject: Subject,
  attempt: number,
  checks: DocumentImageChecks,
): DocumentSubmission {
  const { original_front } = toImages(subject, attempt, false)
  return {
    status: 'failed',
    attempt,
    images: {
      original_front,
      original_back: null,
      cropped_front: null,
      cropped_back: null,
      face: null,
    },
    extracted_data: null,
    analysis: {
      authenticity: 'no_data',
      image_quality: 'low',
      extracted_data: null,
      fraud_analysis_details: null,
      image_quality_details: checks,
      human_review: null,
      aamva_verification: null,
    },
    redacted_at: null,
  }
}

function toImages(subject: Subject, attempt: number, hasBack: boolean): DocumentImages {
  const link = (name: string, exists = true) =>
    exists ? subject.imageUrl(`${name}_${attempt}`) : null
  return {
    original_front: link('original_front'),
    original_back: link('original_back', hasBack),
    cropped_front: link('cropped_front'),
    cropped_back: link('cropped_back', hasBack),
    face: link('face'),
  }
}
