import { type Contract, resolve, type Schema } from '../../scripts/contract/contract.ts'
import { FormCompiler } from '../../src/contract/form-compiler.ts'

/** The least and the most that is taken; undefined where there is no such bound to try. */
type Edges = [least: number | undefined, most: number | undefined]

/** Makes a value of a size. */
type Make = (size: number) => unknown

interface Limit {
  edges: Edges
  make: Make
}

const letters: Make = (size) => 'x'.repeat(size)
const digits: Make = (size) => '1'.repeat(size)
const capitals: Make = (size) => 'X'.repeat(size)
const number: Make = (size) => size
const listOf =
  (item: unknown): Make =>
  (size) =>
    new Array(size).fill(item)
const after =
  (start: string, rest = 'x'): Make =>
  (size) =>
    (start + rest.repeat(Math.max(0, size - start.length))).slice(0, size)
const keys: Make = (size) =>
  Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, 1]))
const email: Make = (size) =>
  `${'x'.repeat(Math.max(0, Math.min(60, size - 6)))}@${'y.'.repeat(Math.max(0, Math.floor((size - 66) / 2)))}${size % 2 ? 'yyy' : 'yy'}.yy`

const text = (...edges: Edges): Limit => ({ edges, make: letters })
const whole = (...edges: Edges): Limit => ({ edges, make: number })
const many = (item: unknown, ...edges: Edges): Limit => ({ edges, make: listOf(item) })
const like = (make: Make, ...edges: Edges): Limit => ({ edges, make })

const street = text(1, 80)
const person = { given_name: text(1, 100), family_name: text(1, 100) }
const usPerson = { first_name: text(1, 100), last_name: text(1, 100) }
const reportPerson = {
  first_name: text(0, 256),
  middle_name: text(0, 256),
  last_name: text(0, 256),
}
const page = { cursor: text(1, 1024) }

/** The sizes of what requests hold, once more and by hand, by component and field; `$` is itself. */
export const limits: Record<string, Record<string, Limit>> = {
  AccessToken: { $: like(after('access-sandbox-'), 16, 256) },
  AccountFilter: { account_ids: many('x', undefined, 500) },
  AccountIdInput: { $: text(1, 128) },
  AssetReportCreateRequest: {
    days_requested: whole(0, 731),
    access_tokens: like(
      (size) => Array.from({ length: size }, (_, index) => `access-sandbox-${index}`),
      1,
      99,
    ),
  },
  AssetReportFilterRequest: { account_ids_to_exclude: many('x', 1, 10_000) },
  AssetReportGetOptions: { days_to_include: whole(0, 731) },
  AssetReportOptions: {
    client_report_id: text(0, 128),
    add_ons: many('fast_assets', undefined, 10),
    products: many('investments', undefined, 10),
  },
  AssetReportTokenInput: { $: text(1, 256) },
  AssetReportUserInput: { ...reportPerson, client_user_id: text(0, 256) },
  BankTransferEventSyncRequest: { after_id: whole(0, 2 ** 53 - 1), count: whole(1, 25) },
  ClientId: { $: text(1, 64) },
  ClientUserIdInput: { $: text(1, 128) },
  ConsumerReportAddressInput: { street: text(1, 200), city: text(1, 100), region: text(1, 100) },
  ConsumerReportUserIdentityInput: {
    ...usPerson,
    emails: many('a@example.com', undefined, 100),
    phone_numbers: many('+14155550142', undefined, 100),
  },
  DashboardUserListRequest: page,
  IdentityVerificationAddressInput: {
    street,
    street2: text(0, 50),
    city: text(1, 100),
    region: like(capitals, 1, 3),
    postal_code: like(digits, 2, 10),
  },
  IdentityVerificationIdNumberInput: { value: like(digits, 1, 40) },
  IdentityVerificationListRequest: page,
  IdentityVerificationNameInput: person,
  IdentityVerificationUserInput: { phone_number: like(after('+', '1'), 8, 16) },
  InstitutionsSearchPaymentInitiation: { consent_id: text(0, 128), payment_id: text(0, 128) },
  InstitutionsSearchRequest: {
    query: text(1, 256),
    products: many('auth', 1, 100),
    country_codes: many('US', 1, 100),
  },
  ItemRemoveRequest: { reason_note: text(0, 512) },
  OauthRevokeRequest: { token: text(1, 512) },
  OauthTokenRequest: {
    refresh_token: text(1, 512),
    subject_token: text(1, 512),
    audience: text(1, 64),
  },
  ProtectEventDetailsInput: { $: like(keys, undefined, 1000) },
  ProtectEventInput: { protect_session_id: text(1, 256) },
  ProtectEventSendRequest: { protect_session_id: text(1, 256), device_session_id: text(1, 256) },
  RequestId: { $: text(15, 15) },
  Secret: { $: text(1, 128) },
  TemplateIdInput: { $: text(1, 128) },
  TransactionsGetOptions: {
    account_ids: many('x', undefined, 500),
    count: whole(1, 500),
    days_requested: whole(1, 730),
    offset: whole(0, 2 ** 31 - 1),
  },
  TransactionsSyncOptions: { days_requested: whole(1, 730) },
  TransactionsSyncRequest: { count: whole(1, 500), cursor: text(0, 256) },
  TransferGetRequest: { authorization_id: text(1, 128), originator_client_id: text(1, 64) },
  TransferIdInput: { $: text(1, 128) },
  TransferMigrateAccountRequest: {
    account_number: like(digits, 4, 17),
    routing_number: like(digits, 9, 9),
    wire_routing_number: like(digits, 9, 9),
  },
  UserAddressInput: {
    street_1: street,
    street_2: text(0, 50),
    city: text(1, 100),
    region: text(1, 100),
    postal_code: like(digits, 2, 10),
    type: text(1, 50),
  },
  UserCreateRequest: { end_customer: text(0, 128) },
  UserEmailAddressInput: { $: like(email, undefined, 254) },
  UserIdInput: { $: like(after('usr_'), 4, 128) },
  UserIdNumberInput: { value: text(1, 64), category: text(1, 100) },
  UserIdentityInput: {
    addresses: many({ street_1: 'x', country: 'GB' }, undefined, 100),
    emails: many({ data: 'a@example.com', primary: true }, undefined, 100),
    phone_numbers: many({ data: '+14155550142', primary: true }, undefined, 100),
    id_numbers: many({ value: '1', type: 'us_ssn' }, undefined, 100),
  },
  UserNameInput: person,
  UserPhoneNumberInput: { $: like(after('+', '1'), 8, 16) },
  UserTokenInput: { $: text(1, 256) },
  WalletCursor: { $: like(letters, 4, 1024) },
  WalletGetRequest: { wallet_id: text(1, 128) },
  WalletListRequest: { count: whole(1, 20) },
  WebhookUrl: { $: like(after('https://example.com/'), undefined, 2048) },
  WebhookVerificationKeyGetRequest: { key_id: text(1, 128) },
}

const sizes = ([least, most]: Edges): [size: number, taken: boolean][] => {
  const low: [number, boolean][] =
    least === undefined
      ? []
      : [
          [least - 1, false],
          [least, true],
        ]
  const high: [number, boolean][] =
    most === undefined
      ? []
      : [
          [most, true],
          [most + 1, false],
        ]
  return [...low, ...high].filter(([size]) => size >= 0 || low.length > 0)
}

/** Where a contract's component takes more or less than is stated here. */
export function wrongLimits(contract: Contract, name: string): string[] {
  const compiler = new FormCompiler(contract, 'request')
  const schema = resolve(contract, { $ref: `#/components/schemas/${name}` } as Schema)
  return Object.entries(limits[name] ?? {}).flatMap(([field, { edges, make }]) => {
    const part = field === '$' ? schema : schema.properties?.[field]
    if (!part) return [`${name} has no ${field}`]
    const fits = compiler.compile(part)
    const isNumber = make === number
    return sizes(edges)
      .filter(([size]) => isNumber || size >= 0)
      .filter(([size, taken]) => fits(make(size)) !== taken)
      .map(([size, taken]) => `${name} ${field}: ${size} should be ${taken ? 'taken' : 'refused'}`)
  })
}
