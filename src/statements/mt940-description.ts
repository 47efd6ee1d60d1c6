import { plainText, withValues } from './values.ts'

interface Description {
  description: string
  counterparty?: string
  references?: Record<string, string>
}

/**
 * Field `:86:` of a booking. Its text is cut into subfields by many banks, `?20` to `?29` and `?60`
 * to `?63` after a code of three digits; others name the parts (`/NAME/…/REMI/…`), or write a text.
 */
export function toDescription(lines: readonly string[]): Description {
  // A line breaks after 65 characters, in the middle of a word.
  const whole = lines.join('')
  if (/^\d{3}\s?([?>|~^])\d{2}/.test(whole)) return fromSubfields(whole)
  if (/^\/[A-Z]{2,8}\//.test(whole)) return fromNames(whole)
  return { description: plainText(lines.join(' ')) }
}

function fromSubfields(whole: string): Description {
  const [separator = '?'] = whole.slice(3).trimStart()
  const fields = new Map<string, string>()
  for (const part of whole.slice(3).split(separator).slice(1)) {
    const [number, text] = [part.slice(0, 2), part.slice(2)]
    fields.set(number, (fields.get(number) ?? '') + text)
  }
  const range = (first: number, last: number): string[] =>
    Array.from({ length: last - first + 1 }, (_, index) => fields.get(String(first + index)) ?? '')
  // A full subfield breaks in the middle of a word, a shorter one at its end.
  const text = [...range(20, 29), ...range(60, 63)]
    .map((part) => (part.length >= 27 ? part : `${part} `))
    .join('')
  const counterparty = plainText(...range(32, 33))
  const marks = withValues({
    ...sepaMarks(text),
    counterparty_account: fields.get('31')?.trim(),
    counterparty_bank: fields.get('30')?.trim(),
  })
  const purpose = plainText(/SVWZ\+(.*?)(?=[A-Z]{4}\+|$)/s.exec(text)?.[1] ?? text)
  return {
    description: plainText(counterparty, purpose) || plainText(fields.get('00')),
    ...withValues({ counterparty }),
    ...(marks ? { references: marks } : {}),
  }
}

/** The marks of SEPA that stand in the text, such as `EREF+` for the end-to-end id. */
function sepaMarks(text: string): Record<string, string | undefined> {
  const mark = (name: string): string | undefined => {
    const found = new RegExp(`${name}\\+(.*?)(?=[A-Z]{4}\\+|$)`, 's').exec(text)?.[1]?.trim()
    return found === 'NOTPROVIDED' ? undefined : found
  }
  return { end_to_end_id: mark('EREF'), mandate_id: mark('MREF'), creditor_id: mark('CRED') }
}

function fromNames(whole: string): Description {
  const parts = new Map<string, string>()
  for (const [, name = '', text] of whole.matchAll(/\/([A-Z]{2,8})\/(.*?)(?=\/[A-Z]{2,8}\/|$)/gs)) {
    parts.set(name, plainText(text))
  }
  const counterparty = parts.get('NAME') ?? parts.get('BENM') ?? parts.get('ORDP') ?? ''
  const marks = withValues({
    end_to_end_id: parts.get('EREF'),
    mandate_id: parts.get('MARF'),
    counterparty_account: parts.get('IBAN'),
  })
  return {
    description: plainText(counterparty, parts.get('REMI')) || plainText(whole),
    ...withValues({ counterparty }),
    ...(marks ? { references: marks } : {}),
  }
}
