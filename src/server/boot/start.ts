import type { Config } from '../config/config.ts'
import { explainingStore, prepareDataFolder } from '../config/data-folder.ts'
import { findEncryptionKey } from '../config/find-encryption-key.ts'
import { ConfigError } from '../config/read-option.ts'
import { createStartingLink } from '../dashboard/session/starting-link.ts'
import { openKeys } from '../data-keys/open-keys.ts'
import { reencryptColumns } from '../data-keys/reencrypt-columns.ts'
import { findRisks } from '../db/durability.ts'
import { prepareSeedData } from '../fixtures/prepare-seed-data.ts'
import type { Settings } from '../kernel/context.ts'
import { DatabaseError } from '../kernel/database.ts'
import { dashboardFolder, docsFolder } from '../kernel/files.ts'
import { isLoopbackHost } from '../kernel/loopback.ts'
import { runAll } from '../kernel/run-all.ts'
import type { Service } from '../kernel/service.ts'
import { noteKeyChange } from '../operator/audit-upkeep.ts'
import type { AnswerCheck } from '../pipeline/pipeline-service.ts'
import { listCategories, readCategoriesFile } from './category-list.ts'
import { rejectWrongClock } from './check-clock.ts'
import { listenForCommands } from './command-socket.ts'
import { createService, type RunningService } from './create-service.ts'
import { findExposedSecrets } from './exposed-secrets.ts'
import { listInstitutions, readListFile } from './institution-list.ts'
import { keepLastUsed } from './keep-last-used.ts'
import { findLastUsed } from './last-used.ts'
import { openDatabase } from './open-database.ts'
import { readConnectors } from './read-connectors.ts'
import { createRereading, type Reread } from './rereading.ts'
import { startTelemetry } from './start-telemetry.ts'

/** A service that listens. */
export interface StartedService extends RunningService {
  /** The address that was bound. */
  address: string
  /** Where the metrics are, if they are served. */
  metrics: string | undefined
  /** Signs the operator of a sandbox in once; undefined where browsers are signed in by themselves. */
  signInLink: string | undefined
  /** What may lose data, or lets strangers at it, a line for each. */
  risks: readonly string[]
  /** Resolves once no column is encrypted with an outdated key, or when the service ends. */
  renewed: Promise<void>
  /** Reads the files of institutions and categories again, for somebody that the audit log names. */
  rereadFiles(actor: string): Promise<void>
}

/** Opens the data, fills it at the first start, and listens; where that fails, it leaves no new folder. */
export async function start(config: Config, checkAnswer?: AnswerCheck): Promise<StartedService> {
  const lists = await readLists(config)
  const removeNewFolder = config.data === undefined ? () => {} : prepareDataFolder(config.data)
  try {
    return await open(config, lists, checkAnswer)
  } catch (error) {
    // Another process that uses the folder has come between: what is there is its own.
    if (!(error instanceof DatabaseError)) removeNewFolder()
    throw error
  }
}

type Lists = Awaited<ReturnType<typeof readLists>>

/** Before anything is opened, since a mistake in a file ends the start. */
const readLists = async (config: Config) => ({
  connectors: await readConnectors(config),
  institutions: await readListFile(config),
  categories: await readCategoriesFile(config),
})

async function open(
  config: Config,
  lists: Lists,
  checkAnswer?: AnswerCheck,
): Promise<StartedService> {
  const found = findEncryptionKey(config)
  const explaining = explainingStore(config.data)
  const observation = await startTelemetry(config)
  const opened = await openDatabase(config, observation.warn).catch(explaining)
  const database = observation.watch(opened)
  let address = config.publicUrl
  const running = await createService({
    database,
    keys: () => openKeys(database, found, noteKeyChange),
    settings: settingsOf(config, lists.connectors),
    publicUrl: () => address ?? '',
    rateLimits: config.rateLimits,
    log: observation.log,
    telemetry: observation.telemetry,
    docs: config.docs === 'on' ? docsFolder() : false,
    dashboardFolder: dashboardFolder(),
    docsUrl: () => docsUrlOf(config, address ?? ''),
    checkAnswer,
    callers: { origins: config.corsOrigins, hosts: config.allowedHosts },
    proxies: config.proxies,
    provider: config.provider,
  })
    .catch(closing(database))
    .catch(explaining)
  await checkClock(running.service, config).catch(closing(running))
  await prepareSeedData(running.service, config).catch(closing(running))
  await useLists(running.service, config, lists).catch(closing(running))
  const riskChecks = [findRisks(opened), findExposedSecrets(running.service, config)]
  const risks = (await Promise.all(riskChecks).catch(closing(running))).flat()
  for (const risk of risks) observation.warn(`at risk: ${risk}`)
  const metrics = await observation.serve(running).catch(closing(running))
  const bound = await listen(running, config).catch(
    closing({ close: async () => metrics?.close() }),
  )
  const wake = () => running.service.runner.wake()
  const commands = await listenForCommands(
    { database: opened, service: running.service, data: config.data, wake },
    observation.log,
  )
  address ??= bound
  wake()
  const signInLink = isReachedFromElsewhere(config)
    ? await createStartingLink(running.service)
    : undefined
  const subjects = rereadsOf(running.service, config)
  const rereading = createRereading(subjects, running.service.log, observation.warn)
  const renewal = reencryptColumns(running.service)
  const lastUsed = keepLastUsed(running.service)
  const close = () =>
    runAll(
      () => commands.close(),
      () => rereading.stop(),
      () => lastUsed.stop(),
      () => renewal.stop(),
      () => running.close(),
      () => metrics?.close(),
      () => observation.telemetry.close(),
    )
  return {
    ...running,
    address: bound,
    metrics: metrics?.address,
    risks,
    renewed: renewal.done,
    signInLink,
    rereadFiles: rereading.again,
    close,
  }
}

/** Whether browsers of a sandbox are on other machines, or behind a proxy. */
const isReachedFromElsewhere = ({ environment, host, publicUrl }: Config): boolean =>
  environment === 'sandbox' &&
  !(isLoopbackHost(host) && (!publicUrl || isLoopbackHost(new URL(publicUrl).hostname)))

async function useLists(service: Service, config: Config, lists: Lists): Promise<void> {
  await listInstitutions(service, config, lists.institutions, 'service:start')
  await listCategories(service, config, lists.categories, 'service:start')
}

const rereadsOf = (service: Service, config: Config): Reread[] => [
  {
    name: 'institutions',
    check: 'institutions check',
    read: async (actor) => listInstitutions(service, config, await readListFile(config), actor),
  },
  {
    name: 'categories',
    check: 'categories check',
    read: async (actor) => listCategories(service, config, await readCategoriesFile(config), actor),
  },
]

const settingsOf = (config: Config, connectors: Settings['connectors']): Settings => ({
  environment: config.environment,
  reportDelayMs: config.reportDelayMs,
  keptCalls: config.keptCalls,
  privateTargets: config.privateTargets,
  ...(config.identityGateway ? { identityGateway: config.identityGateway } : {}),
  ...(connectors ? { connectors } : {}),
})

/** Before anything is done by a clock that may be wrong. */
async function checkClock({ database, clock }: Service, config: Config): Promise<void> {
  if (config.acceptClock) return
  rejectWrongClock(clock(), await findLastUsed(database), config.environment)
}

/** Where errors lead to for their codes. */
function docsUrlOf({ docs }: Config, address: string): string | undefined {
  if (docs === 'on') return `${address}/docs`
  return docs === 'off' ? undefined : docs
}

async function listen(running: RunningService, config: Config): Promise<string> {
  try {
    return await running.app.listenWidely({ port: config.port, host: config.host })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // The error about the address matters more than one of closing.
    await running.close().catch(() => {})
    // An error of the system here is about the address.
    if (code === undefined) throw error
    const option = code === 'EADDRINUSE' || code === 'EACCES' ? 'port' : 'host'
    throw new ConfigError(`${message}: choose another ${option} with ${optionNames[option]}`)
  }
}

const optionNames = { port: '--port (PORT)', host: '--host (HOST)' }

/** Closes what was opened, and passes the failure on, which is the first one. */
const closing = (opened: { close(): Promise<void> }) => (error: unknown) =>
  runAll(
    () => Promise.reject(error),
    () => opened.close(),
  ) as Promise<never>
