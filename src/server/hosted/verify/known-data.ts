import { type Html, html } from '../html.ts'
import { countryName } from './countries.ts'
import type { Visit } from './visit.ts'

/**
 * What is known of a person whom the page does not ask for it. It is sent to the check like their
 * answers. Anybody can have the link of an attempt, so each value is shown in part only.
 */
export function toKnownData(visit: Visit): Html | undefined {
  const { texts, client, steps } = visit
  const known = steps.kyc_check.status === 'not_applicable' ? [] : listKnown(visit)
  if (known.length === 0) return undefined
  return html`<h2>${texts.answers.known}</h2>
<p>${texts.answers.knownText(client)}</p>
<dl class="answers">${known.map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}</dl>`
}

type Line = readonly [label: string, text: string]

function listKnown({ texts, user }: Visit): Line[] {
  const { labels, contact, numberEnding, bornIn } = texts.answers
  const { name, date_of_birth, address, id_number, phone_number, email_address } = user
  const place = address && [address.city, countryName(texts.code, address.country)]
  const lines: (Line | null)[] = [
    name && [labels.name, `${name.given_name} ${hide(name.family_name)}`],
    date_of_birth === null ? null : [labels.birth, bornIn(date_of_birth.slice(0, 4))],
    place && [
      address.street === null ? labels.country : labels.address,
      place.filter((part) => part !== null).join(', '),
    ],
    id_number && [labels.number, numberEnding(id_number.value.slice(-2))],
    phone_number === null ? null : [contact.phone, numberEnding(phone_number.slice(-2))],
    email_address === null ? null : [contact.email, email_address.replace(/^[^@]*/, hide)],
  ]
  return lines.filter((line) => line !== null)
}

/** The first character of a text. */
const hide = (text: string): string => `${[...text][0] ?? ''}…`
