import { setTimeout as sleep } from 'node:timers/promises'
import { returnFreeMemory } from './boot/free-memory.ts'
import { heapLimits, keepHeapSmall } from './boot/small-heap.ts'
import type { StartedService } from './boot/start.ts'
import { readyAccessToken, wellKnownClients } from './clients/well-known-clients.ts'
import { type Config, readConfig } from './config/config.ts'
import { usage } from './config/options.ts'
import { ConfigError } from './config/read-option.ts'
import { withSecretFiles } from './config/secret-files.ts'
import { serversOf } from './db/servers.ts'
import { SeedDataError } from './fixtures/seed-data-error.ts'
import { DatabaseError, DatabaseUnavailable } from './kernel/database.ts'
import { dashboardFolder, docsFolder } from './kernel/files.ts'
import { runAll } from './kernel/run-all.ts'

/**
 * Runs the service until a signal ends it, and tells where it is. Resolves once it listens, or with
 * the exit code 1 after one line that says why it does not.
 */
export async function serve(args: readonly string[], command: string): Promise<0 | 1> {
  try {
    const config = readConfig(args, withSecretFiles(process.env))
    if (config === 'help') console.log(usage(command))
    else await run(config)
    return 0
  } catch (error) {
    console.error(isExpected(error) ? error.message : error)
    // What a module of connectors began at its top must not keep the process alive.
    setTimeout(() => process.exit(1), 2000).unref()
    return 1
  }
}

async function run(config: Config): Promise<void> {
  const { start } = await import('./boot/start.ts')
  // Not before: loading the modules with a small heap takes a tenth longer.
  keepHeapSmall()
  // From the beginning: the signal would otherwise end a process that has just started.
  const files = [config.institutions, config.categories]
  const reread = files.some((file) => file !== undefined) ? watchForSighup() : undefined
  const started = await start(config)
  reread?.by(() => started.rereadFiles('service:SIGHUP'))
  let asked: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (asked === undefined) void stop(started, config)
      else if (performance.now() - asked > sameSignalMs) process.exit(signalled)
      asked ??= performance.now()
    })
  }
  console.log(greeting(started, config))
  // Not while the first ones wait for their answers.
  setTimeout(() => returnFreeMemory(heapLimits().returnedFrom), 1000).unref()
}

/** Takes SIGHUP; one that comes before it is known what to do then is remembered. */
function watchForSighup(): { by(act: () => unknown): void } {
  let isAsked = false
  let act: () => unknown = () => {
    isAsked = true
  }
  process.on('SIGHUP', () => act())
  return {
    by(known) {
      act = known
      if (isAsked) act()
    },
  }
}

/** The exit code after a second signal, which ends the process at once. */
const signalled = 130
/** A terminal and npm both hand on the same Ctrl-C. */
const sameSignalMs = 300
/** How long the end may take, for example when the store does not answer. */
const patienceMs = 15_000

/** Says that it is not ready any more, answers what has been asked, and ends. */
async function stop({ readiness, app, close }: StartedService, config: Config): Promise<void> {
  readiness.drain()
  await sleep(config.shutdownDelayMs)
  setTimeout(() => {
    console.error(`the service did not end within ${patienceMs / 1000} seconds, and was cut short`)
    process.exit(1)
  }, patienceMs)
  try {
    await runAll(() => app.askToLeave(), close)
    process.exit(0)
  } catch (error) {
    console.error(`the service ended, but not in order: ${(error as Error).message}`)
    process.exit(1)
  }
}

function greeting({ address, metrics, risks, signInLink }: StartedService, config: Config): string {
  const lines = [
    '',
    `  Financial Data Service   ${address}`,
    ...docsLine(config, address),
    ...(dashboardFolder() ? [`  dashboard                ${address}/dashboard/`] : []),
    ...(signInLink && dashboardFolder() ? [`  signs you in once        ${signInLink}`] : []),
    `  data                     ${placeOf(config)}`,
    ...risks.map((risk) => `  at risk                  ${risk}`),
    ...(metrics ? [`  metrics                  ${metrics}/metrics`] : []),
  ]
  return [...lines, ...(config.environment === 'sandbox' ? sandboxHints(address) : []), ''].join(
    '\n',
  )
}

function docsLine({ docs }: Config, address: string): string[] {
  if (docs === 'off') return []
  const [name, place] =
    docs === 'on'
      ? [docsFolder() ? 'docs and console' : 'errors, OpenAPI', `${address}/docs/`]
      : ['docs', docs]
  return [`  ${name.padEnd(25)}${place}`]
}

/** Where the data is, without what opens it. */
function placeOf({ data, databaseUrl }: Config): string {
  if (databaseUrl === undefined) return data ?? 'in memory, gone at the end'
  const servers = serversOf(databaseUrl).map((server) => new URL(server))
  return `PostgreSQL, ${servers.map(({ host }) => host).join(',')}${servers[0]?.pathname}`
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

/** Errors that the user can fix, each with one line that says how. */
const isExpected = (error: unknown): error is Error =>
  [ConfigError, SeedDataError, DatabaseError, DatabaseUnavailable].some(
    (kind) => error instanceof kind,
  )
