import { defaultProfile, findProfile, readProfiles } from './profiles.ts'
import { readBase, readSecretOf } from './read-secret.ts'
import { UsageError } from './usage-error.ts'

/** Which service a command calls, and as which client. */
export interface Caller {
  base: string
  clientId: string
  secret: string
}

/** Where the service is that `serve` runs. */
export const usualBase = 'http://127.0.0.1:4000'

/** The options of all commands that call a service as a client. */
export const callerOptions = {
  profile: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** The same, as `--help` shows them. */
export const callerHelp = `  --profile NAME        call the service of this profile, which \`login\` stores (the environment; without it,
                        the profile ${defaultProfile})
  --json                print JSON for programs (off)
  --help                print this

  SERVICE_CLIENT_ID     call as this client, with SERVICE_SECRET or SERVICE_SECRET_FILE, and without a profile
  SERVICE_URL           the service of this client (${usualBase})`

/** Finds whom a command calls: the named profile counts before the environment, that before the default one. */
export async function readCaller(name: string | undefined): Promise<Caller> {
  const own = name === undefined ? await readEnvironment() : undefined
  if (own) return own
  const profiles = await readProfiles()
  const found = findProfile(profiles, name)
  if (found) return { base: found.base, clientId: found.client_id, secret: found.secret }
  const known = profiles.map((one) => one.name).join(', ')
  throw new UsageError(
    name === undefined
      ? `log in first, or name a profile with --profile${known && ` (${known})`}`
      : `there is no profile ${name}${known && `; there are: ${known}`}`,
  )
}

/** The client that the environment names. Half of it is a mistake, never a reason to call another service. */
async function readEnvironment(): Promise<Caller | undefined> {
  const { SERVICE_URL: url, SERVICE_CLIENT_ID: clientId } = process.env
  const secret = await readSecretOf('SERVICE_SECRET')
  if (!url && !clientId && !secret) return undefined
  if (!clientId || !secret) {
    const lacks = clientId ? 'SERVICE_SECRET or SERVICE_SECRET_FILE' : 'SERVICE_CLIENT_ID'
    const set = url ? 'SERVICE_URL' : clientId ? 'SERVICE_CLIENT_ID' : 'SERVICE_SECRET'
    throw new UsageError(`${set} is set, so ${lacks} is needed too; or name a profile`)
  }
  requireSendable('SERVICE_CLIENT_ID', clientId)
  requireSendable('SERVICE_SECRET', secret)
  return { base: readBase('SERVICE_URL', url || usualBase), clientId, secret }
}

/** Rejects what no header can carry, and does not quote it. */
export function requireSendable(name: string, text: string): void {
  if (/^[\x21-\x7e]+$/.test(text)) return
  throw new UsageError(`${name} must have only visible ASCII characters`)
}
