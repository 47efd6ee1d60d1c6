import { SandboxClientFeature } from '../../../generated/sandbox/validators/components.js'
import { hasControls } from '../../control-characters.ts'
import { defaultFeatures } from '../clients/client.ts'
import { insertClient } from '../clients/store.ts'
import { isPossibleTarget, publicTarget } from '../kernel/check-webhook.ts'
import type { Queries } from '../kernel/database.ts'
import { newId } from '../kernel/ids.ts'
import type { Service } from '../kernel/service.ts'
import { toTimestamp } from '../kernel/time.ts'
import { audit } from './audit.ts'
import {
  findListedClient,
  type ListedClient,
  listClients,
  replaceSecret,
  setDisabled,
  setFeatures,
  setKeepsBodies,
  setWebhook,
} from './client-store.ts'
import { OperatorError } from './operator-error.ts'

/** What an operator does with clients. */
export type ClientCommand =
  | { client: 'create'; name: string; webhook?: string }
  | { client: 'list' }
  | { client: 'rotate-secret'; id: string; graceSeconds: number }
  | { client: 'disable' | 'enable'; id: string }
  | { client: 'features'; id: string; add: readonly string[]; remove: readonly string[] }
  | { client: 'keep-bodies'; id: string; seconds: number | null }
  | { client: 'set-webhook'; id: string; webhook: string | null }

/** A client, and its secret where it was just made: it is not stored, and cannot be shown again. */
export interface ShownClient {
  client_id: string
  name: string | null
  features: string[]
  webhook: string | null
  created_at: string
  disabled_at: string | null
  previous_secret_until: string | null
  keeps_bodies_until: string | null
  secret?: string
}

/** Carries out a command about clients. Returns the clients that it concerns. */
export async function runClientCommand(
  service: Service,
  command: ClientCommand,
  actor: string,
): Promise<{ clients: ShownClient[] }> {
  const { database } = service
  if (command.client === 'list') {
    return { clients: (await database.read(listClients)).map((row) => toShown(row)) }
  }
  return database.exclusive(async (db) => {
    const { id, secret, details } = await change(service, db, command)
    const action = `client.${command.client}`
    await audit(service, db, { actor, action, client_id: id, subject: id, details })
    const row = await requireClient(db, id)
    return { clients: [toShown(row, secret)] }
  })
}

interface Changed {
  id: string
  secret?: string
  details: Readonly<Record<string, unknown>>
}

async function change(
  service: Service,
  db: Queries,
  command: Exclude<ClientCommand, { client: 'list' }>,
): Promise<Changed> {
  if (command.client === 'create') return create(service, db, command)
  const { id } = command
  const client = await requireClient(db, id)
  if (command.client === 'rotate-secret') {
    const secret = newSecret(service)
    const until = service.clock() + command.graceSeconds * 1000
    await replaceSecret(db, id, service.keys.hash(secret), until)
    return { id, secret, details: { grace_seconds: command.graceSeconds } }
  }
  if (command.client === 'features') {
    const features = changeFeatures(JSON.parse(client.features) as string[], command)
    await setFeatures(db, id, features)
    return { id, details: { features } }
  }
  if (command.client === 'set-webhook') {
    const webhook = command.webhook === null ? null : checkWebhook(service, command.webhook)
    await setWebhook(db, id, webhook)
    return { id, details: { webhook } }
  }
  if (command.client === 'keep-bodies') {
    const until = command.seconds === null ? null : service.clock() + command.seconds * 1000
    await setKeepsBodies(db, id, until)
    const before = toNullableTime(client.keeps_bodies_until)
    return { id, details: { before, after: toNullableTime(until) } }
  }
  const isDisabled = command.client === 'disable'
  await setDisabled(db, id, isDisabled ? toTimestamp(service.clock()) : null)
  return { id, details: {} }
}

async function create(
  service: Service,
  db: Queries,
  { name, webhook }: Extract<ClientCommand, { client: 'create' }>,
): Promise<Changed> {
  const { clock, keys, settings } = service
  if (name.trim() === '') throw new OperatorError('the name of a client must not be empty')
  if (hasControls(name)) {
    throw new OperatorError('the name of a client must have no control characters')
  }
  const target = webhook === undefined ? null : checkWebhook(service, webhook)
  const id = `client-${newId('client', settings.environment)}`
  const secret = newSecret(service)
  await insertClient(db, {
    client_id: id,
    client_name: name,
    secret_hash: keys.hash(secret),
    public_key: newId('public_key', settings.environment),
    default_version: null,
    features: defaultFeatures,
    created_at: toTimestamp(clock()),
  })
  await setWebhook(db, id, target)
  return { id, secret, details: { name, webhook: target } }
}

const newSecret = ({ settings }: Service): string =>
  `secret-${newId('secret', settings.environment)}`

/** The client with an id. */
export async function requireClient(db: Queries, id: string): Promise<ListedClient> {
  const client = await findListedClient(db, id)
  if (!client) throw new OperatorError(`there is no client ${id}: \`client list\` shows all`)
  return client
}

function changeFeatures(
  features: readonly string[],
  { add, remove }: Extract<ClientCommand, { client: 'features' }>,
): string[] {
  const unknown = [...add, ...remove].find((feature) => !SandboxClientFeature.is(feature))
  if (unknown !== undefined) {
    throw new OperatorError(
      `${unknown} is no feature; those that a new client has: ${defaultFeatures.join(', ')}`,
    )
  }
  return [...new Set([...features, ...add])].filter((feature) => !remove.includes(feature))
}

function checkWebhook({ settings }: Service, text: string): string {
  const { environment } = settings
  const url = URL.parse(text)
  if (url && (url.username !== '' || url.password !== '')) {
    throw new OperatorError('the webhook must be a URL without a user and a password')
  }
  if (!isPossibleTarget(environment, text)) {
    throw new OperatorError(`the webhook ${publicTarget}`)
  }
  if (['https:', 'http:'].includes(url?.protocol ?? '')) return text
  throw new OperatorError('the webhook must be a URL that starts with https:// or http://')
}

const toShown = (row: ListedClient, secret?: string): ShownClient => ({
  client_id: row.client_id,
  name: row.client_name,
  features: JSON.parse(row.features) as string[],
  webhook: row.webhook,
  created_at: row.created_at,
  disabled_at: row.disabled_at,
  previous_secret_until: toNullableTime(row.previous_secret_until),
  keeps_bodies_until: toNullableTime(row.keeps_bodies_until),
  ...(secret === undefined ? {} : { secret }),
})

const toNullableTime = (ms: number | null): string | null =>
  ms === null ? null : toTimestamp(Number(ms))
