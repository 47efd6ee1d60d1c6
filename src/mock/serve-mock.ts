import { readArguments } from '../arguments.ts'
import { wellKnownClients } from '../server/clients/well-known-clients.ts'
import { hostsForm, originsForm, readHosts, readOrigins } from '../server/config/option-lists.ts'
import { createApp } from '../server/http/app.ts'
import type { Callers } from '../server/http/check-host-and-origin.ts'
import { docsFolder } from '../server/kernel/files.ts'
import { newRequestId } from '../server/kernel/ids.ts'
import { usage } from './usage.ts'

class OptionError extends Error {}

/**
 * Runs the mock until a signal ends it, and tells where it is and how to call it. Resolves once it
 * listens, or after one line with the exit code 2 for a wrong option, and 1 where it cannot listen.
 */
export async function serveMock(args: readonly string[], command: string): Promise<0 | 1 | 2> {
  try {
    const options = readOptions(args)
    if (options === 'help') console.log(usage(command))
    else console.log(greeting(await run(options)))
    return 0
  } catch (error) {
    if (error instanceof OptionError) return report(error.message, 2)
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return report(code === 'EADDRINUSE' ? `${message}: choose another with --port` : message, 1)
  }
}

function report<Code extends 1 | 2>(message: string, code: Code): Code {
  console.error(message)
  return code
}

async function run({ port, host, publicUrl, callers }: Options): Promise<string> {
  // Prism is large, and a wrong option is told without it.
  const { createMock } = await import('./answer.ts')
  let address = publicUrl
  const app = await createApp({
    onFault: (error, requestId) => console.error(`the request ${requestId} failed:`, error),
    ...createMock(),
    newRequestId,
    publicUrl: () => address ?? '',
    docs: docsFolder(),
    callers,
  })
  const bound = await app.listen({ port, host })
  address ??= bound
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void app.close())
  }
  return bound
}

interface Options {
  port: number
  host: string
  publicUrl: string | undefined
  callers: Callers
}

function readOptions(args: readonly string[]): Options | 'help' {
  const values = parse(args)
  if (values.help) return 'help'
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new OptionError('--port (PORT) must be a whole number from 0 to 65535')
  }
  const publicUrl = values['public-url'] ?? process.env['PUBLIC_URL']
  if (publicUrl !== undefined && !/^https?:\/\/[^/]+/.test(publicUrl)) {
    throw new OptionError('--public-url (PUBLIC_URL) must be an http or https address')
  }
  return {
    port,
    host: values.host,
    publicUrl: publicUrl?.replace(/\/$/, ''),
    callers: readCallers(),
  }
}

function readCallers(): Callers {
  const { CORS_ORIGIN = '', ALLOWED_HOSTS = '' } = process.env
  const origins = CORS_ORIGIN === '' ? [] : readOrigins(CORS_ORIGIN)
  if (!origins) throw new OptionError(`CORS_ORIGIN must be ${originsForm}`)
  const hosts = ALLOWED_HOSTS === '' ? [] : readHosts(ALLOWED_HOSTS)
  if (!hosts) throw new OptionError(`ALLOWED_HOSTS must be ${hostsForm}`)
  return { origins, hosts }
}

const parse = (args: readonly string[]) =>
  readArguments(
    {
      args: [...args],
      options: {
        port: { type: 'string', default: process.env['PORT'] || '4010' },
        host: { type: 'string', default: process.env['HOST'] || '127.0.0.1' },
        'public-url': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    },
    (message) => new OptionError(message),
  ).values

function greeting(address: string): string {
  const { clientId, secret } = wellKnownClients[0]
  return `
  Financial Data Service, mock      ${address}
  docs                              ${address}/docs/
  client id and secret              ${clientId}, ${secret}

  It answers every operation with the contract's examples. Try it:

  curl ${address}/accounts/get \\
    -H 'Content-Type: application/json' \\
    -H 'SERVICE-CLIENT-ID: ${clientId}' -H 'SERVICE-SECRET: ${secret}' \\
    -d '{"access_token":"access-sandbox-00000000-0000-4000-8000-000000000001"}'

  Add -H 'Prefer: code=400, example=NO_ACCOUNTS' for an error, or 'Prefer: delay=2000'.
`
}
