import { knownPhones } from '../../../identity-verification/known-inputs.ts'
import { sendCode, tryCode } from '../../../identity-verification/sms-code.ts'
import { html } from '../../html.ts'
import { toField, toForm } from '../../layout.ts'
import { toInvented } from '../invented.ts'
import type { Outcome, VerifyQuestion, Visit } from '../visit.ts'
import { endOf, outcomeOf } from './phone.ts'

const field = 'one-time-code'

/** Asks for the code of the message. */
export const code: VerifyQuestion = {
  view(visit, rejected) {
    const { texts } = visit
    const { title, sent, ends, label, none, again } = texts.sms
    const input = {
      name: field,
      label,
      hint: ends,
      type: 'text',
      autocomplete: 'one-time-code',
      inputmode: 'numeric',
      maxLength: 20,
    }
    return {
      title,
      content: html`<p>${sent(endOf(numberOf(visit)))}</p>
${toForm(visit, html`${toField(input, rejected?.errors)}<button>${texts.shared.continue}</button>`)}
<h2>${none}</h2>
${toForm(visit, html`<button id="main" class="second" name="again" value="yes">${again}</button>`)}
${toInvented(visit, html`<p>${texts.invented.codes(knownPhones.code)}</p>`)}`,
    }
  },
  async answer(visit, form): Promise<Outcome> {
    const { ctx, attempt, texts, peer } = visit
    if (form.has('again')) {
      const sent = await sendCode(ctx, attempt, { phone_number: numberOf(visit), peer })
      const outcome = outcomeOf(visit, sent)
      if (!('errors' in outcome)) return outcome
      return { errors: outcome.errors.map((error) => ({ ...error, field: 'main' })) }
    }
    const given = (form.get(field) ?? '').replaceAll(/[\s-]/g, '')
    if (given === '') return { errors: [{ field, text: texts.sms.missing }] }
    // A slip of the finger is no guess, and uses up no try.
    if (!/^\d{6}$/.test(given)) return { errors: [{ field, text: texts.sms.noCode }] }
    return toOutcome(visit, await tryCode(ctx, attempt, given))
  },
}

function toOutcome({ texts, drafts }: Visit, tried: Awaited<ReturnType<typeof tryCode>>): Outcome {
  const reject = (text: string) => [{ field, text }]
  if (tried.found === 'expired') return { errors: reject(texts.sms.expired) }
  if (tried.found === 'wrong' && tried.left > 0) {
    return { attempt: tried.attempt, errors: reject(texts.sms.wrong(tried.left)) }
  }
  if (tried.found === 'wrong') {
    const errors = [{ field: 'main', text: texts.phone.tried }]
    return { attempt: tried.attempt, errors, at: 'phone' }
  }
  const { phone: _, ...rest } = drafts
  return { attempt: tried.attempt, drafts: rest }
}

const numberOf = ({ evidence, user }: Visit): string =>
  evidence.sms?.verifications.at(-1)?.phone_number ?? user.phone_number ?? ''
