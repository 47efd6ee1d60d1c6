import { withEvidence } from '../../identity-verification/evidence.ts'
import type { SampleName } from '../../identity-verification/pictures/samples.ts'
import { submitCheck } from '../../identity-verification/settle-check.ts'
import type { DocumentDraft } from './drafts.ts'
import type { Outcome, Visit } from './visit.ts'

/** The number of the upload that a person is at, from 1. */
export const uploadNumber = ({ evidence }: Visit, of: 'documents' | 'selfies'): number =>
  (evidence[of]?.length ?? 0) + 1

/** Sends the pictures of a document to the check. */
export async function sendDocument(visit: Visit, draft: DocumentDraft): Promise<Outcome> {
  const { ctx, attempt, evidence, drafts } = visit
  const { category, country, sample } = draft
  const upload = uploadNumber(visit, 'documents')
  const sent = { upload, at: ctx.now, category, country, ...(sample ? { sample } : {}) }
  const documents = [...(evidence.documents ?? []), sent]
  const noted = withEvidence(ctx, attempt, { documents })
  const step = 'documentary_verification' as const
  const { document: _, ...rest } = drafts
  return {
    drafts: rest,
    attempt: await submitCheck(ctx, noted, { step, upload, ...(sample ? { sample } : {}) }),
  }
}

/** Sends a picture of a face to the check. */
export async function sendSelfie(visit: Visit, sample: SampleName | undefined): Promise<Outcome> {
  const { ctx, attempt, evidence } = visit
  const upload = uploadNumber(visit, 'selfies')
  const sent = { upload, at: ctx.now, ...(sample ? { sample } : {}) }
  const noted = withEvidence(ctx, attempt, { selfies: [...(evidence.selfies ?? []), sent] })
  const step = 'selfie_check' as const
  return {
    attempt: await submitCheck(ctx, noted, { step, upload, ...(sample ? { sample } : {}) }),
  }
}
