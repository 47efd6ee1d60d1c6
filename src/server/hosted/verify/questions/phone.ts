import { knownPhones } from '../../../identity-verification/known-inputs.ts'
import { sendCode } from '../../../identity-verification/sms-code.ts'
import { html } from '../../html.ts'
import { toField, toForm } from '../../layout.ts'
import type { Rejected } from '../../visit.ts'
import { toInvented } from '../invented.ts'
import type { VerifyQuestion, Visit } from '../visit.ts'

const field = 'tel'

/** Asks for the number, unless the client has told it, and sends the code. */
export const phone: VerifyQuestion = {
  repeats: (name) => name === field,
  view(visit, rejected) {
    const { texts, user } = visit
    const { title, text, send, known } = texts.phone
    const { codes, unreachable } = texts.invented
    return {
      title,
      content: html`<p>${text}</p>
${user.phone_number !== null && html`<p>${known(endOf(user.phone_number))}</p>`}
${toForm(visit, html`${user.phone_number === null && numberField(visit, rejected)}<button id="main">${send}</button>`)}
${toInvented(visit, html`<p>${codes(knownPhones.code)} ${unreachable(knownPhones.unreachable)}</p>`)}`,
    }
  },
  async answer(visit, form) {
    const { ctx, attempt, user, texts, peer, drafts } = visit
    const given = (form.get(field) ?? '').trim()
    const typed = given.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
    const phone_number = user.phone_number ?? typed
    if (phone_number === '') return { errors: [{ field, text: texts.phone.missing }] }
    if (!/^\+[1-9]\d{6,14}$/.test(phone_number)) {
      return { errors: [{ field, text: texts.phone.wrong }] }
    }
    const outcome = outcomeOf(visit, await sendCode(ctx, attempt, { phone_number, peer }))
    return 'errors' in outcome ? outcome : { ...outcome, drafts: { ...drafts, phone: given } }
  },
}

/** What a request for a message leads to. */
export function outcomeOf({ texts, user }: Visit, sent: Awaited<ReturnType<typeof sendCode>>) {
  if (!('problem' in sent)) return { attempt: sent.attempt }
  const at = user.phone_number === null ? field : 'main'
  return { errors: [{ field: at, text: texts.phone[sent.problem] }] }
}

/** The digits by which a person knows their number. */
export const endOf = (phone_number: string): string => phone_number.slice(-2)

function numberField({ texts, drafts }: Visit, rejected: Rejected | undefined) {
  const { label, hint } = texts.phone
  return toField(
    {
      name: field,
      label,
      hint,
      type: 'tel',
      autocomplete: 'tel',
      inputmode: 'tel',
      maxLength: 40,
      // After three wrong codes, the number is there for the next one.
      value: rejected?.form.get(field) ?? drafts.phone ?? '',
    },
    rejected?.errors,
  )
}
