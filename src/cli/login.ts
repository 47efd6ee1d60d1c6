import { escapeControls } from '../control-characters.ts'
import { toTable } from './ask-operator.ts'
import { askHidden, askLine, Interrupted, readSecretFile } from './ask-secret.ts'
import { callService, NoAnswer, Rejected } from './call-service.ts'
import { type Caller, requireSendable, usualBase } from './caller.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions } from './options.ts'
import {
  changeProfiles,
  defaultProfile,
  type Profile,
  profilesFile,
  readProfiles,
  requireProfileName,
} from './profiles.ts'
import { readBase, readSecretOf } from './read-secret.ts'
import { tellError } from './tell-error.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} login [--profile NAME] [--base URL] [--client-id ID] [options]
       ${program} login --list [--json]

Stores a service and the credentials of a client as a named profile, for the commands \`listen\`, \`trigger\`,
\`events\`, \`logs\` and \`open\`. Asks on a terminal for what is missing, and shows nothing of the secret.
Checks the credentials with a call before it stores them. The file is profiles.json in the folder
financial-data-service of XDG_CONFIG_HOME (~/.config); only its owner may read it.

  --profile NAME        store the profile under this name (${defaultProfile})
  --base URL            call the service at this URL (SERVICE_URL, or else ${usualBase})
  --client-id ID        call as this client (SERVICE_CLIENT_ID)
  --secret-file FILE    read the secret from this file, or from standard input if it is - (SERVICE_SECRET or
                        SERVICE_SECRET_FILE; without them standard input)
  --list                list the profiles, without their secrets
  --json                print JSON for programs (off)
  --help                print this

exit code: 0 stored, 1 not stored, 2 wrong usage

examples:
  ${program} login --client-id sandbox-client
  ${program} login --profile work --base https://api.example.com --client-id client-1 --secret-file secret.txt`

const options = {
  profile: { type: 'string', default: defaultProfile },
  base: { type: 'string' },
  'client-id': { type: 'string' },
  'secret-file': { type: 'string' },
  list: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

/** Stores the credentials of a client as a profile. */
export const login: Command = { help, run }

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  if (positionals.length > 0) throw new UsageError(`${positionals[0]} is one argument too many`)
  requireProfileName(values.profile)
  if (values.list) return printProfiles(await readProfiles(), values.json)
  try {
    const caller = await readGiven(values)
    await checkCredentials(caller)
    return await store(values, caller)
  } catch (error) {
    const isExpected = error instanceof NoAnswer || error instanceof Rejected
    if (!isExpected && !(error instanceof Interrupted)) throw error
    tellError(error instanceof Interrupted ? 'nothing was stored' : `${error.message}: not stored`)
    return 1
  }
}

async function readGiven(values: Values): Promise<Caller> {
  const { SERVICE_URL, SERVICE_CLIENT_ID } = process.env
  const base = readBase('--base', values.base ?? (SERVICE_URL || usualBase))
  const isAsked = process.stdin.isTTY === true
  const given = values['client-id'] ?? SERVICE_CLIENT_ID
  const clientId = given || (isAsked ? await askLine(`client id for ${base}: `) : '')
  if (clientId === '') throw new UsageError('--client-id (SERVICE_CLIENT_ID) is needed')
  requireSendable('--client-id', clientId)
  const secret = await readSecret(values['secret-file'], clientId, isAsked)
  requireSendable('the secret', secret)
  return { base, clientId, secret }
}

async function readSecret(
  file: string | undefined,
  clientId: string,
  isAsked: boolean,
): Promise<string> {
  if (file !== undefined) return readSecretFile(file)
  const own = await readSecretOf('SERVICE_SECRET')
  if (own) return own
  if (!isAsked) return readSecretFile('-')
  const typed = await askHidden(`secret of ${escapeControls(clientId)} (nothing is shown): `)
  if (typed === '') throw new UsageError('a secret is needed')
  return typed
}

/** A key that nobody has: that the service looks for it shows that it accepts the credentials. */
const noKey = '00000000-0000-4000-8000-000000000000'

async function checkCredentials(caller: Caller): Promise<void> {
  const answered = await callService(caller, 'webhookVerificationKeyGet', { key_id: noKey })
  const { error_code: code } = answered.body
  if (answered.status === 200 || code === 'INVALID_WEBHOOK_VERIFICATION_KEY_ID') return
  throw new Rejected(answered)
}

async function store(values: Values, { base, clientId, secret }: Caller): Promise<ExitCode> {
  const { profile: name, json } = values
  await changeProfiles((profiles) => [
    ...profiles.filter((one) => one.name !== name),
    { name, base, client_id: clientId, secret },
  ])
  const shown = { profile: name, base, client_id: clientId, file: profilesFile() }
  const line = `logged in to ${base} as ${clientId}: profile ${name} in ${shown.file}`
  console.log(json ? toJson(shown) : escapeControls(line))
  return 0
}

function printProfiles(profiles: readonly Profile[], json: boolean): ExitCode {
  const shown = profiles.map(({ name, base, client_id }) => ({ profile: name, base, client_id }))
  if (json) console.log(toJson(shown))
  else {
    const rows = shown.map(({ profile, base, client_id }) => [profile, base, client_id])
    console.log(toTable(['PROFILE', 'BASE', 'CLIENT ID'], rows))
  }
  return 0
}

const logoutHelp = `usage: ${program} logout [--profile NAME | --all] [--json]

Removes a stored profile with its secret. The client itself, and its secret, stay as they are.

  --profile NAME   remove the profile of this name (${defaultProfile})
  --all            remove all profiles (off)
  --json           print JSON for programs (off)
  --help           print this

exit code: 0 removed, 1 there is no such profile, 2 wrong usage

examples:
  ${program} logout
  ${program} logout --profile work`

const logoutOptions = {
  profile: { type: 'string' },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** Removes profiles. */
export const logout: Command = { help: logoutHelp, run: runLogout }

async function runLogout(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, logoutOptions)
  const { profile: name = defaultProfile, all, json } = values
  if (positionals.length > 0) throw new UsageError(`${positionals[0]} is one argument too many`)
  if (all && values.profile !== undefined) {
    throw new UsageError('--profile and --all cannot be used together')
  }
  const isOne = ({ name: own }: Profile): boolean => all || own === name
  // Without a profile there may be no folder, and none is made.
  const removed = (await readProfiles()).some(isOne) ? await removeProfiles(isOne) : []
  if (removed.length === 0) {
    tellError(all ? 'there are no profiles' : `there is no profile ${name}`)
    return 1
  }
  console.log(json ? toJson({ removed }) : `removed ${removed.join(', ')}`)
  return 0
}

/** Removes some profiles; returns their names. */
async function removeProfiles(isOne: (profile: Profile) => boolean): Promise<string[]> {
  let removed: string[] = []
  await changeProfiles((profiles) => {
    removed = profiles.filter(isOne).map((one) => one.name)
    return removed.length === 0 ? profiles : profiles.filter((one) => !isOne(one))
  })
  return removed
}
