/** What a file may leave out only where the file below it has it. */
export const needs = {
  institution: ['name', 'products', 'country_codes'],
  template: ['steps'],
  client: ['secret'],
  item: ['institution_id'],
  account: ['type', 'subtype', 'name'],
  transaction: ['date', 'amount', 'description'],
  dashboardUser: ['email_address'],
  identityVerification: ['client_user_id', 'template_id', 'created_at'],
  wallet: ['iso_currency_code'],
  transfer: ['created', 'account_id', 'type', 'network', 'amount', 'description', 'user'],
  refund: ['created', 'amount'],
  bankTransfer: ['created', 'account_id', 'type', 'amount'],
} as const
