import { hasBack } from '../../../identity-verification/evidence.ts'
import { replacePicture } from '../../../identity-verification/pictures/store.ts'
import { html } from '../../html.ts'
import { sendDocument, uploadNumber } from '../send-pictures.ts'
import type { VerifyQuestion } from '../visit.ts'
import { pictureForm, pictureOf } from './picture-form.ts'

/** Asks for a picture of the front of the document, or of the page of a passport. */
export const front: VerifyQuestion = {
  repeats: (name) => name === 'sample',
  view(visit, rejected) {
    const { texts, drafts } = visit
    const { passport, front, advice } = texts.picture
    const category = drafts.document?.category ?? 'passport'
    return {
      title: hasBack(category) ? front(texts.documents[category]) : passport,
      content: html`<p>${advice}</p>${pictureForm(visit, { capture: 'environment', kind: 'document' }, rejected)}`,
    }
  },
  async answer(visit, form) {
    const { ctx, attempt, drafts } = visit
    const sent = pictureOf(visit, form)
    if ('error' in sent) return { errors: [sent.error] }
    if (!drafts.document) throw new Error('a picture without a document')
    const number = uploadNumber(visit, 'documents')
    const stored = await replacePicture(ctx, attempt, `original_front_${number}`, sent.picture)
    const document = { ...drafts.document, hasFront: true, sample: sent.sample }
    // A sample stands for both sides.
    if (!hasBack(document.category) || sent.sample) {
      return sendDocument({ ...visit, attempt: stored }, document)
    }
    return { attempt: stored, drafts: { ...drafts, document } }
  },
}
