import type { CurrentVersion } from '../../generated/client.ts'
import type {
  Product,
  SandboxCustomUserInput,
  SandboxPublicTokenCreateRequest,
  SandboxPublicTokenOptionsInput,
} from '../../generated/sandbox/types.ts'
import type { Version } from '../../generated/versions.ts'
import { type Client, createClient } from '../client/client.ts'
import { type Control, createControl } from './control.ts'
import { type Inbox, openInbox } from './inbox.ts'
import type { Opened } from './opened.ts'

/** One client of the service, with a world, a clock, webhooks and faults of its own. */
export interface Tenant<V extends Version = CurrentVersion> {
  /** Where the service is, such as `http://127.0.0.1:43117`. */
  readonly url: string
  /** The credentials, for a client that is made elsewhere. */
  readonly clientId: string
  readonly secret: string
  /** Makes the calls; it never retries, so that a test sees each answer. */
  readonly client: Client<V>
  /** Calls the sandbox endpoints. */
  readonly control: Control
  /**
   * Links an Item, as if a user had just gone through the login of an institution. When it resolves
   * its history has been read, and its webhooks have been tried, unless `settled` is false.
   *
   * @throws ServiceError when the service refuses.
   */
  linkItem(options?: LinkOptions): Promise<LinkedItem>
  /** Opens a receiver for webhooks of this client. */
  inbox(): Promise<Inbox>
}

/** How an Item is linked. */
export interface LinkOptions extends Omit<SandboxPublicTokenOptionsInput, OverrideField> {
  /** `ins_109508` unless set, which supports every product. */
  institution_id?: SandboxPublicTokenCreateRequest['institution_id']
  /** Transactions, identity and liabilities unless set. */
  initial_products?: SandboxPublicTokenCreateRequest['initial_products']
  auth_method?: SandboxPublicTokenCreateRequest['auth_method']
  /** The user that the Item belongs to. */
  user_token?: SandboxPublicTokenCreateRequest['user_token']
  /** Exactly the accounts that the Item has; what they leave out is generated. */
  accounts?: SandboxCustomUserInput['override_accounts']
  /** False returns before the history is read: later work is on its way. */
  settled?: boolean
}

type OverrideField = 'override_username' | 'override_password'

/** A linked Item. */
export interface LinkedItem {
  access_token: string
  item_id: string
}

/** Where a tenant is, and who it is. */
export interface TenantOptions<V extends Version> {
  baseUrl: string
  clientId: string
  secret: string
  version: V | undefined
}

export function createTenant<V extends Version>(
  { baseUrl, clientId, secret, version }: TenantOptions<V>,
  opened: Opened,
): Tenant<V> {
  const credentials = { baseUrl, clientId, secret }
  const client = createClient<V>({ ...credentials, retries: 0, ...(version && { version }) })
  const control = createControl(credentials)
  // Keys and the exchange of tokens are the same in every version.
  const plainClient = createClient({ ...credentials, retries: 0 })
  return {
    url: baseUrl,
    clientId,
    secret,
    client,
    control,
    linkItem: (options) => linkItem(plainClient, control, options),
    inbox: () => opened.open((onClose) => openInbox(plainClient, onClose)),
  }
}

const usualProducts: Product[] = ['transactions', 'identity', 'liabilities']

async function linkItem(
  client: Client,
  control: Control,
  options: LinkOptions = {},
): Promise<LinkedItem> {
  const { institution_id = 'ins_109508', initial_products = usualProducts } = options
  const { auth_method, user_token, accounts, settled = true, ...rest } = options
  const { public_token } = await control
    .sandboxPublicTokenCreate({
      institution_id,
      initial_products,
      auth_method: auth_method ?? null,
      user_token: user_token ?? null,
      options: { ...pick(rest), ...custom(accounts) },
    })
    .orThrow()
  const exchanged = await client.itemPublicTokenExchange({ public_token }).orThrow()
  if (settled) await control.sandboxClockAdvance({ seconds: 0 }).orThrow()
  const { access_token, item_id } = exchanged
  return { access_token, item_id }
}

/** The options that belong to the request's own `options`. */
const pick = ({ webhook, transactions }: LinkOptions): SandboxPublicTokenOptionsInput => ({
  ...(webhook === undefined ? {} : { webhook }),
  ...(transactions === undefined ? {} : { transactions }),
})

/** A user whose password says what accounts there are. */
const custom = (accounts: LinkOptions['accounts']): SandboxPublicTokenOptionsInput =>
  accounts === undefined
    ? {}
    : {
        override_username: 'user_custom',
        override_password: JSON.stringify({ override_accounts: accounts }),
      }
