/** A shape of exports that is read without a mapping. Names are as in a header row, in small letters. */
export interface Shape {
  /** Told to people; named after its columns. */
  name: string
  date: string
  value_date?: string
  /** One column, two, or one with an indicator. */
  amount:
    | { column: string }
    | { in: string; out: string }
    | { column: string; indicator: string; texts: { in: string[]; out: string[] } }
  description: readonly string[]
  counterparty?: string
  id?: string
  references?: Readonly<Record<string, string>>
  currency?: string
  account?: { id: string; bank_id?: string }
  balance?: string
  /** Other columns, which are not read; those in `optional` may be absent, whatever they are for. */
  others?: readonly string[]
  optional?: readonly string[]
}

/** Columns that are named `amount (eur)` or so in place of `amount` tell the currency as well. */
export const currencyInName = /\s*\(([A-Z]{3})\)$/i

const dutch = { in: ['Bij'], out: ['Af'] }

/** What banks' exports commonly look like. A header fits a shape when it has all of its columns and no other. */
export const shapes: readonly Shape[] = [
  {
    name: 'date-description-amount',
    date: 'date',
    description: ['description'],
    amount: { column: 'amount' },
    currency: 'currency',
    others: ['category', 'notes', 'type'],
    optional: ['currency', 'category', 'notes', 'type'],
  },
  {
    name: 'date-description-amount-balance',
    date: 'date',
    description: ['description'],
    amount: { column: 'amount' },
    balance: 'balance',
    currency: 'currency',
    others: ['type'],
    optional: ['currency', 'type'],
  },
  {
    name: 'date-description-debit-credit',
    date: 'date',
    description: ['description'],
    amount: { in: 'credit', out: 'debit' },
    currency: 'currency',
    others: ['status', 'category'],
    optional: ['currency', 'status', 'category'],
  },
  {
    name: 'date-description-debit-credit-balance',
    date: 'date',
    description: ['description'],
    amount: { in: 'credit', out: 'debit' },
    balance: 'balance',
    currency: 'currency',
    optional: ['currency'],
  },
  {
    name: 'date-payee-amount',
    date: 'date',
    description: ['payee', 'memo'],
    counterparty: 'payee',
    amount: { column: 'amount' },
    currency: 'currency',
    others: ['category', 'reference number', 'address'],
    optional: ['memo', 'currency', 'category', 'reference number', 'address'],
  },
  {
    name: 'transaction-post-date-type-amount',
    date: 'post date',
    value_date: 'transaction date',
    description: ['description', 'memo'],
    amount: { column: 'amount' },
    others: ['category', 'type'],
    optional: ['memo'],
  },
  {
    name: 'transaction-posted-date-card-debit-credit',
    date: 'posted date',
    value_date: 'transaction date',
    description: ['description'],
    amount: { in: 'credit', out: 'debit' },
    account: { id: 'card no.' },
    others: ['category'],
  },
  {
    name: 'details-posting-date-amount-balance',
    date: 'posting date',
    description: ['description'],
    amount: { column: 'amount' },
    references: { type: 'type', check_number: 'check or slip #' },
    balance: 'balance',
    others: ['details'],
  },
  {
    name: 'sort-code-debit-credit-amounts-balance',
    date: 'transaction date',
    description: ['transaction description'],
    amount: { in: 'credit amount', out: 'debit amount' },
    references: { type: 'transaction type' },
    account: { id: 'account number', bank_id: 'sort code' },
    balance: 'balance',
  },
  {
    name: 'date-type-description-value-balance',
    date: 'date',
    description: ['description'],
    amount: { column: 'value' },
    references: { type: 'type' },
    account: { id: 'account number' },
    balance: 'balance',
    others: ['account name'],
  },
  {
    name: 'booking-value-date-partner-amount',
    date: 'booking date',
    value_date: 'value date',
    description: ['partner name', 'payment reference'],
    counterparty: 'partner name',
    amount: { column: 'amount' },
    references: { counterparty_account: 'partner iban', type: 'type' },
    others: ['account name', 'original amount', 'original currency', 'exchange rate'],
  },
  {
    name: 'date-payee-account-reference-amount',
    date: 'date',
    description: ['payee', 'payment reference'],
    counterparty: 'payee',
    amount: { column: 'amount' },
    references: { counterparty_account: 'account number', type: 'transaction type' },
    others: ['category', 'amount (foreign currency)', 'type foreign currency', 'exchange rate'],
    optional: ['category'],
  },
  {
    name: 'date-name-account-debit-or-credit-amount',
    date: 'date',
    description: ['name / description', 'notifications'],
    counterparty: 'name / description',
    amount: {
      column: 'amount',
      indicator: 'debit/credit',
      texts: { in: ['Credit'], out: ['Debit'] },
    },
    references: { counterparty_account: 'counterparty', type: 'code' },
    account: { id: 'account' },
    balance: 'resulting balance',
    others: ['transaction type', 'tag'],
    optional: ['resulting balance', 'tag'],
  },
  {
    name: 'datum-naam-rekening-af-bij-bedrag',
    date: 'datum',
    description: ['naam / omschrijving', 'mededelingen'],
    counterparty: 'naam / omschrijving',
    amount: { column: 'bedrag', indicator: 'af bij', texts: dutch },
    references: { counterparty_account: 'tegenrekening', type: 'code' },
    account: { id: 'rekening' },
    balance: 'saldo na mutatie',
    others: ['mutatiesoort', 'tag'],
    optional: ['saldo na mutatie', 'tag'],
  },
  {
    name: 'auftragskonto-buchungstag-verwendungszweck-betrag',
    date: 'buchungstag',
    value_date: 'valutadatum',
    description: ['beguenstigter/zahlungspflichtiger', 'verwendungszweck'],
    counterparty: 'beguenstigter/zahlungspflichtiger',
    amount: { column: 'betrag' },
    currency: 'waehrung',
    account: { id: 'auftragskonto' },
    references: {
      type: 'buchungstext',
      end_to_end_id: 'kundenreferenz (end-to-end)',
      mandate_id: 'mandatsreferenz',
      creditor_id: 'glaeubiger id',
      counterparty_account: 'kontonummer/iban',
    },
    others: [
      ...['sammlerreferenz', 'lastschrift ursprungsbetrag', 'auslagenersatz ruecklastschrift'],
      ...['bic (swift-code)', 'info', 'kontonummer', 'blz', 'kategorie'],
    ],
    optional: [
      ...['kundenreferenz (end-to-end)', 'mandatsreferenz', 'glaeubiger id', 'kontonummer/iban'],
      ...['sammlerreferenz', 'lastschrift ursprungsbetrag', 'auslagenersatz ruecklastschrift'],
      ...['bic (swift-code)', 'info', 'kontonummer', 'blz', 'kategorie'],
    ],
  },
  {
    name: 'buchung-valuta-auftraggeber-betrag',
    date: 'buchung',
    value_date: 'valuta',
    description: ['auftraggeber/empfänger', 'verwendungszweck'],
    counterparty: 'auftraggeber/empfänger',
    amount: { column: 'betrag' },
    references: { type: 'buchungstext' },
    currency: 'währung',
    balance: 'saldo',
    others: ['kategorie'],
    optional: ['saldo', 'kategorie'],
  },
  {
    name: 'comptabilisation-libelle-debit-credit',
    date: 'date de comptabilisation',
    value_date: 'date de valeur',
    description: ['libelle simplifie', 'libelle operation', 'informations complementaires'],
    counterparty: 'libelle simplifie',
    amount: { in: 'credit', out: 'debit' },
    references: { reference: 'reference', type: 'type operation' },
    others: ['categorie', 'sous categorie', 'date operation', 'pointage operation'],
  },
  {
    name: 'bokforingsdag-belopp-rubrik-saldo',
    date: 'bokföringsdag',
    description: ['namn', 'rubrik'],
    counterparty: 'namn',
    amount: { column: 'belopp' },
    balance: 'saldo',
    currency: 'valuta',
    others: ['avsändare', 'mottagare', 'meddelande', 'egna anteckningar'],
    optional: ['meddelande', 'egna anteckningar'],
  },
  {
    name: 'iban-volgnr-datum-bedrag-saldo',
    date: 'datum',
    value_date: 'rentedatum',
    description: ['naam tegenpartij', 'omschrijving-1', 'omschrijving-2', 'omschrijving-3'],
    counterparty: 'naam tegenpartij',
    amount: { column: 'bedrag' },
    id: 'volgnr',
    references: {
      counterparty_account: 'tegenrekening iban/bban',
      type: 'code',
      end_to_end_id: 'transactiereferentie',
      mandate_id: 'machtigingskenmerk',
      creditor_id: 'incassant id',
    },
    currency: 'munt',
    account: { id: 'iban/bban', bank_id: 'bic' },
    balance: 'saldo na trn',
    others: [
      ...['naam uiteindelijke partij', 'naam initiërende partij', 'bic tegenpartij', 'batch id'],
      ...['betalingskenmerk', 'reden retour', 'oorspr bedrag', 'oorspr munt', 'koers'],
    ],
    optional: ['omschrijving-3'],
  },
]
