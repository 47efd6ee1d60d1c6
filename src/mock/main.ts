import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createApp } from '../server/http/app.ts'
import { newRequestId } from '../server/ids.ts'
import { wellKnownClients } from '../server/well-known-clients.ts'
import { createMock } from './answer.ts'

const usage = 'usage: mock [--port PORT] [--host HOST] [--public-url URL]'

/** Starts the mock, and tells where it is and how to call it. */
async function main(): Promise<void> {
  const { port, host, publicUrl } = readOptions()
  let address = publicUrl
  const app = await createApp({
    ...createMock(),
    newRequestId,
    publicUrl: () => address ?? '',
    docs: fileURLToPath(new URL('../../docs', import.meta.url)),
  })
  const bound = await app.listen({ port, host })
  address ??= bound
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void app.close())
  }
  console.log(greeting(bound))
}

interface Options {
  port: number
  host: string
  publicUrl: string | undefined
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: process.env['PORT'] ?? '4010' },
      host: { type: 'string', default: process.env['HOST'] ?? '127.0.0.1' },
      'public-url': { type: 'string' },
    },
  })
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new TypeError(`--port (PORT) must be a number from 0 to 65535\n${usage}`)
  }
  const publicUrl = values['public-url'] ?? process.env['PUBLIC_URL']
  if (publicUrl !== undefined && !/^https?:\/\/[^/]+/.test(publicUrl)) {
    throw new TypeError(`--public-url (PUBLIC_URL) must be an http or https address\n${usage}`)
  }
  return { port, host: values.host, publicUrl: publicUrl?.replace(/\/$/, '') }
}

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

  Add -H 'Prefer: code=400, example=ITEM_LOGIN_REQUIRED' for an error, or 'Prefer: delay=2000'.
`
}

try {
  await main()
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  console.error(code === 'EADDRINUSE' ? `${message}: choose another with --port` : message)
  process.exitCode = 1
}
