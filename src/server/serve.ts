import { type Config, ConfigError, readConfig, usage } from './config.ts'
import { DatabaseError } from './db/database.ts'
import { docsFolder } from './files.ts'
import { type StartedService, start } from './start.ts'
import { readyAccessToken, wellKnownClients } from './well-known-clients.ts'
import { WorldError } from './world/world-error.ts'

/**
 * Runs the service until a signal ends it, and tells where it is. Resolves once it listens, or with
 * the exit code 1 after one line that says why it does not.
 */
export async function serve(args: readonly string[], command: string): Promise<0 | 1> {
  try {
    const config = readConfig(args, process.env)
    if (config === 'help') console.log(usage(command))
    else await run(config)
    return 0
  } catch (error) {
    console.error(isExpected(error) ? error.message : error)
    return 1
  }
}

async function run(config: Config): Promise<void> {
  const started = await start(config)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop(started))
  }
  console.log(greeting(started, config))
}

/** Answers what has been asked, and ends. */
async function stop(started: StartedService): Promise<void> {
  await started.close()
  process.exit(0)
}

function greeting({ address }: StartedService, config: Config): string {
  const lines = [
    '',
    `  Financial Data Service   ${address}`,
    `  ${(docsFolder() ? 'docs and console' : 'errors, OpenAPI').padEnd(25)}${address}/docs/`,
    `  data                     ${placeOf(config)}`,
  ]
  return [...lines, ...(config.environment === 'sandbox' ? sandboxHints(address) : []), ''].join(
    '\n',
  )
}

/** Where the data is, without what opens it. */
function placeOf({ data, databaseUrl }: Config): string {
  if (databaseUrl === undefined) return data ?? 'in memory, gone at the end'
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL, ${host}${pathname}`
}

function sandboxHints(address: string): string[] {
  const { clientId, secret } = wellKnownClients[0]
  return [
    `  client id and secret     ${clientId}, ${secret}`,
    `  a ready Item             ${readyAccessToken}`,
    '',
    '  Try it:',
    '',
    `  curl ${address}/accounts/get \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -H 'SERVICE-CLIENT-ID: ${clientId}' -H 'SERVICE-SECRET: ${secret}' \\`,
    `    -d '{"access_token":"${readyAccessToken}"}'`,
  ]
}

/** What the user can mend, and one line says how. */
const isExpected = (error: unknown): error is Error =>
  [ConfigError, WorldError, DatabaseError].some((kind) => error instanceof kind)
