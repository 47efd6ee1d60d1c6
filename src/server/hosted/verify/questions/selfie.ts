import { replacePicture } from '../../../identity-verification/pictures/store.ts'
import { html } from '../../html.ts'
import { sendSelfie, uploadNumber } from '../send-pictures.ts'
import type { VerifyQuestion } from '../visit.ts'
import { lastFlaw, pictureForm, pictureOf } from './picture-form.ts'

/** Asks for a picture of the person's face. */
export const selfie: VerifyQuestion = {
  repeats: (name) => name === 'sample',
  view(visit, rejected) {
    const { texts } = visit
    const { selfie, selfieAdvice } = texts.picture
    return {
      title: selfie,
      content: html`${lastFlaw(visit, 'selfies')}<p>${selfieAdvice}</p>
${pictureForm(visit, { capture: 'user', kind: 'selfie' }, rejected)}`,
    }
  },
  async answer(visit, form) {
    const { ctx, attempt } = visit
    const sent = pictureOf(visit, form)
    if ('error' in sent) return { errors: [sent.error] }
    const name = `selfie_${uploadNumber(visit, 'selfies')}` as const
    const stored = await replacePicture(ctx, attempt, name, sent.picture)
    return sendSelfie({ ...visit, attempt: stored }, sent.sample)
  },
}
