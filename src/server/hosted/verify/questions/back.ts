import { replacePicture } from '../../../identity-verification/pictures/store.ts'
import { html } from '../../html.ts'
import { sendDocument, uploadNumber } from '../send-pictures.ts'
import type { VerifyQuestion } from '../visit.ts'
import { pictureForm, pictureOf } from './picture-form.ts'

/** Asks for a picture of the back of the document. */
export const back: VerifyQuestion = {
  repeats: (name) => name === 'sample',
  view(visit, rejected) {
    const { texts, drafts } = visit
    const category = drafts.document?.category ?? 'id_card'
    return {
      title: texts.picture.back(texts.documents[category]),
      content: html`<p>${texts.picture.advice}</p>
${pictureForm(visit, { capture: 'environment', kind: 'document_back' }, rejected)}`,
    }
  },
  async answer(visit, form) {
    const { ctx, attempt, drafts } = visit
    const sent = pictureOf(visit, form)
    if ('error' in sent) return { errors: [sent.error] }
    if (!drafts.document) throw new Error('a picture without a document')
    const name = `original_back_${uploadNumber(visit, 'documents')}` as const
    const stored = await replacePicture(ctx, attempt, name, sent.picture)
    return sendDocument({ ...visit, attempt: stored }, drafts.document)
  },
}
