import { createClient } from '../index.ts'
import {
  type PublicKey,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '../webhooks/index.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readInput, readText } from './input.ts'
import { readOptions, readSeconds } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} verify-webhook [FILE] --header VALUE (--key KEYFILE | --url ADDRESS) [options]

Prints whether the service signed this body. The raw body, byte for byte as it arrived, comes from FILE
or from standard input.

  --header VALUE        take this value of the header Service-Verification; @FILE reads it from a file (required)
  --key KEYFILE         read the key from this JSON file: an answer of
                        /webhook_verification_key/get, the key in it, or a list of keys
  --url ADDRESS         fetch the key from the service at this address, with the credentials in the variables
                        SERVICE_CLIENT_ID and SERVICE_SECRET
  --max-age SECONDS     reject a signature that is older (300)
  --json                print { valid, reason, message, webhook_type, webhook_code } instead of a line (off)
  --help                print this

exit code: 0 the webhook is genuine, 1 it is not, 2 it could not be checked

examples:
  ${program} verify-webhook body.json --header @header.txt --key key.json
  SERVICE_CLIENT_ID=sandbox-client SERVICE_SECRET=sandbox-secret \\
    ${program} verify-webhook body.json --header "$HEADER" --url http://127.0.0.1:4000`

const options = {
  header: { type: 'string' },
  key: { type: 'string' },
  url: { type: 'string' },
  'max-age': { type: 'string' },
  json: { type: 'boolean' },
} as const

export const verifyWebhookCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readOptions(args, options)
    if (positionals.length > 1) throw new UsageError('name one file')
    if (values.header === undefined) throw new UsageError('--header is needed')
    const maxAge = readSeconds('max-age', values['max-age'])
    const settings = { ...(await keysOf(values)), maxAge }
    const headers = { 'Service-Verification': await headerOf(values.header) }
    return verify(await readInput(positionals[0]), headers, settings, values.json)
  },
}

/** The value alone, also of a whole line as `curl` prints it. */
async function headerOf(value: string): Promise<string> {
  const text = value.startsWith('@') ? await readText(value.slice(1)) : value
  return text.trim().replace(/^service-verification:\s*/i, '')
}

/** Where the keys come from: a file, or the service. */
async function keysOf({ key, url }: { key?: string; url?: string }): Promise<VerifyOptions> {
  if (key !== undefined && url === undefined) return { keys: await readKeys(key) }
  if (key !== undefined || url === undefined) throw new UsageError('give one of --key, --url')
  const { SERVICE_CLIENT_ID: clientId, SERVICE_SECRET: secret } = process.env
  if (!clientId || !secret) throw new UsageError('SERVICE_CLIENT_ID and SERVICE_SECRET are needed')
  try {
    return { client: createClient({ baseUrl: url, clientId, secret }) }
  } catch (error) {
    // It says which setting cannot be, and nothing of its value.
    throw new UsageError((error as TypeError).message.replace('baseUrl', '--url'))
  }
}

async function readKeys(file: string): Promise<PublicKey[]> {
  const value = await parseJson(file)
  const list = Array.isArray(value) ? value : [Object(value).key ?? value]
  const isKey = (key: unknown): key is PublicKey =>
    ['kid', 'x', 'y'].every((name) => typeof Object(key)[name] === 'string')
  if (list.every(isKey)) return list
  throw new UsageError(`${file}: holds no key with \`kid\`, \`x\` and \`y\``)
}

async function parseJson(file: string): Promise<unknown> {
  const text = await readText(file)
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file}: must be JSON`)
  }
}

async function verify(
  body: Buffer,
  headers: Record<string, string>,
  settings: VerifyOptions,
  json: boolean | undefined,
): Promise<ExitCode> {
  try {
    const event = await verifyWebhook(body, headers, settings)
    print(json, `valid: ${nameOf(event)}`, { valid: true, ...codesOf(event) })
    return 0
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    const { reason, status } = error
    const message = error.message + causeOf(error)
    print(json, `not verified: ${reason}: ${message}`, { valid: false, reason, message })
    // Any other status says nothing about the webhook: the key could not be had or used.
    return status === 400 ? 1 : 2
  }
}

/** Why a key could not be fetched: an error of the client, which shows nothing that was sent. */
const causeOf = ({ reason, cause }: WebhookVerificationError): string =>
  reason === 'key_unavailable' && cause instanceof Error ? ` (${cause.message})` : ''

const codesOf = ({ webhook_type, webhook_code }: WebhookEvent) => ({ webhook_type, webhook_code })
const nameOf = ({ webhook_type, webhook_code }: WebhookEvent) => `${webhook_type}.${webhook_code}`

const print = (json: boolean | undefined, line: string, report: object): void =>
  console.log(json ? toJson(report) : line)
