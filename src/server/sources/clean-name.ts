/** A text of a bank as people would say it. */
export interface CleanName {
  name: string
  /** Whether the text says that somebody was paid with a card or through a payment company. */
  isPayment: boolean
}

/** What banks write before the merchant of a card payment, and the day that may follow. */
const cardWords = [
  'KARTENZAHLUNG',
  'KARTENUMSATZ',
  'GIROCARD',
  'CARD (?:PAYMENT|PURCHASE)(?: TO| AT)?',
  'DEBIT CARD (?:PAYMENT|PURCHASE)',
  'POS (?:PURCHASE|DEBIT|PAYMENT)',
  'PURCHASE AUTHORIZED ON',
  'CHECKCARD',
  'CONTACTLESS PAYMENT(?: TO| AT)?',
  'PAIEMENT (?:PAR CARTE|CB)',
  'ACHAT CB',
  'COMPRA (?:CON )?TARJETA',
  'PAGO CON TARJETA',
  'PAGAMENTO (?:CON )?CARTA',
  'BETAALAUTOMAAT',
].join('|')
const day = String.raw`\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{4}|\d{2}))?|\d{4}(?= )`
const card = new RegExp(`^(?:${cardWords})\\b[ :,-]*(?:(?:${day})\\b[ ,-]*)?`, 'i')

/** Companies that put their mark before the name of a merchant. */
const company = /^(?:SQC|SQ|TST|SP|PP|PY|PAYPAL|IZ|SUMUP|ZETTLE|CKE|EB|GOOGLE|APPLE PAY) ?\*+ ?/i
/** A merchant's own mark before the name of what was bought. */
const order = /^([A-Z][\w.&' -]{3,}?) ?\*+ ?\S.*$/i
/** What terminals add after the name: card numbers, references, days, times of day. */
const suffixes =
  /(?: +(?:CARD ?\d{4}|X{2,}\d{3,}|\*\d{3,}|#\d{2,}|REF[: ]?\w+|\d{2}:\d{2}(?::\d{2})?|\d{7,}|ON \d{1,2} ?[A-Z]{3}(?: \d{2,4})?))+$/i

/** The pattern takes long on a long text that only begins to fit. */
const longestEnd = 100
const withoutSuffixes = (text: string): string =>
  text.slice(0, -longestEnd) + text.slice(-longestEnd).replace(suffixes, '')

/** Takes the marks of banks, payment companies and terminals from a text. */
export function cleanName(text: string): CleanName {
  const bought = text.replace(card, '')
  const paid = bought.replace(company, '')
  const cleaned = withoutSuffixes(paid).replace(order, '$1').trim()
  const isPayment = paid !== text
  return { name: cleaned === '' ? text : cleaned, isPayment: isPayment && cleaned !== '' }
}
