import { paths } from '../../generated/sandbox/operations.ts'
import { measureBuilds, measureProfiles, readOlder } from './builds.ts'
import { askAt, type Case, cases, requestsOf } from './cases.ts'
import { type Choices, latencyOf, type Section } from './choices.ts'
import { coldStartLevels, measureColdStart, measureIdle, memoryLevels } from './cold-start.ts'
import { dashboardLevels, measureDashboard } from './dashboard.ts'
import { requireEveryLine } from './features.ts'
import { type Figures, type Memory, type Part, takeNote } from './figures.ts'
import { importLevels, measureImports } from './imports.ts'
import { latencyLevels, measureLatency } from './latency.ts'
import type { Level } from './levels.ts'
import { startLoadGenerator } from './load.ts'
import type { Program } from './processes.ts'
import { measureProject } from './project.ts'
import { measureProxy, proxied, proxyLevels } from './proxy.ts'
import { measureRequestList, requestListLevels } from './request-list.ts'
import type { Target } from './rounds.ts'
import { isService, type ServerName } from './server-names.ts'
import { type Server, startServers } from './servers.ts'
import { isServiceProgram } from './service.ts'
import type { Stage } from './stage.ts'
import { measureThroughput, references } from './throughput.ts'
import { throughputLevels } from './throughput-levels.ts'
import { measureValidators, validatorLevels } from './validators.ts'
import { type MemoryWatch, watchMemory } from './watch-memory.ts'
import { measureWebhooks, webhookLevels } from './webhooks.ts'

type Tell = (line: string) => void

/** Measures everything that is chosen, one part after the other. */
export async function run(stage: Stage, choices: Choices, tell: Tell): Promise<Figures> {
  const { choice, quick, pace } = choices
  const taken = takeNote((await stage.database())?.version)
  const generator = startLoadGenerator()
  /** A part, where it is chosen and could be measured. */
  const part = async <Found>(
    section: Section,
    measure: () => Promise<Found | undefined> | Found | undefined,
    levelsOf: (found: Found) => Level[] = () => [],
  ): Promise<Part<Found> | undefined> => {
    const found = choice.sections.includes(section) ? await measure() : undefined
    return found && { taken, found, levels: levelsOf(found) }
  }
  const project = await part('project', () => measureProject(stage, tell))
  const imports = await part(
    'imports',
    () => measureImports(stage, quick ? 1000 : 100_000, tell),
    importLevels,
  )
  const dashboard = await part(
    'dashboard',
    () => measureDashboard(stage, quick ? 10_000 : 100_000, quick ? 10_000 : 1_000_000, tell),
    dashboardLevels,
  )
  const requestList = await part(
    'request-list',
    () => {
      const pace = quick ? { rounds: 2, seconds: 0.5 } : { rounds: 20, seconds: 3 }
      return measureRequestList(generator, pace, tell)
    },
    requestListLevels,
  )
  const older = choices.before === undefined ? undefined : readOlder(choices.before)
  const ofBuilds = older && {
    ...{ stage, older, generator, pace, tell, targetOf },
    cases: cases.filter(({ id }) => choice.cases.includes(id)),
  }
  const builds = await part('builds', () => ofBuilds && measureBuilds(ofBuilds))
  const profiles = await part('builds', () => ofBuilds && measureProfiles(ofBuilds))
  const servers = await startServers(stage, serversFor(choices), tell)
  const watch = watchMemory(servers)
  const targetsOf = (names: readonly string[], ids: readonly string[]) =>
    cases
      .filter(({ id }) => ids.includes(id))
      .flatMap((one) =>
        servers
          .filter(({ name }) => names.includes(name))
          .map((server) => targetOf(server, one, watch)),
      )
  const throughput = await part(
    'throughput',
    () =>
      measureThroughput(
        targetsOf([...references, ...choice.servers], choice.cases),
        generator,
        pace,
        tell,
      ),
    throughputLevels,
  )
  const latency = await part(
    'latency',
    () => {
      const times = quick ? { rounds: 1, seconds: 0.3 } : { rounds: 10, seconds: 0.5 }
      return measureLatency(targetsOf(...latencyOf(choice)), generator, times, tell)
    },
    latencyLevels,
  )
  const webhooks = await part(
    'webhooks',
    () => {
      const times = quick ? { rounds: 1, seconds: 0.7 } : { rounds: 24, seconds: 0.8 }
      const both = targetsOf(['sqlite'], ['walletGet', 'protectEventSend']) as [Target, Target]
      return measureWebhooks(both, generator, times, tell)
    },
    webhookLevels,
  )
  watch.end()
  const validators = await part(
    'validators',
    () => measureValidators(quick ? 20 : 200, tell),
    validatorLevels,
  )
  const coldStart = await part(
    'cold-start',
    () => measureColdStart(stage, quick ? 3 : 20, tell),
    coldStartLevels,
  )
  const proxy = await part(
    'proxy',
    () => {
      const rounds = quick ? 1 : 5
      return measureProxy(
        stage,
        generator,
        { rounds, seconds: 0.5, cases: quick ? proxied.slice(0, 1) : proxied },
        tell,
      )
    },
    proxyLevels,
  )
  const memory = await part(
    'memory',
    async (): Promise<Memory> => {
      const idle = await measureIdle(stage, quick ? 1 : 15)
      return { ...idle, ...(await watch.found(quick ? 0 : restMs, tell)) }
    },
    memoryLevels,
  )
  const programs = new Set(servers.flatMap((server) => server.programs))
  await requireEveryLine([...programs].filter(isServiceProgram))
  const all = {
    project,
    validators,
    imports,
    dashboard,
    requestList,
    coldStart,
    memory,
    throughput,
    latency,
    webhooks,
    proxy,
    builds,
    profiles,
  }
  return Object.fromEntries(Object.entries(all).filter(([, found]) => found)) as Figures
}

/** The servers that the chosen parts need. */
function serversFor({ choice }: Choices): ServerName[] {
  const needs: Partial<Record<Section, readonly ServerName[]>> = {
    throughput: [...references, ...choice.servers],
    memory: ['raw', ...choice.servers],
    latency: latencyOf(choice)[0],
    webhooks: ['sqlite'],
  }
  return [...new Set(choice.sections.flatMap((section) => needs[section] ?? []))]
}

/** Its requests are made again each time: what only the service knows may have changed. */
const targetOf = (server: Server, one: Case, watch?: MemoryWatch): Target => ({
  name: `${server.name} ${one.id}`,
  server,
  case: one,
  async requests() {
    const ask = isService(server.name) ? askAt(server.programs[0]?.url ?? '') : undefined
    return requestsOf(one.path, await one.bodies(ask))
  },
  async finish() {
    if (isService(server.name)) await Promise.all(server.programs.map(writeRequestLog))
    watch?.note(server)
  },
})

/** To list calls, a process writes those that wait. */
const writeRequestLog = ({ url }: Program) => askAt(url)(paths.sandboxRequestList, { count: 1 })

/** How long after the load a service counts as idle. The other parts are measured meanwhile. */
const restMs = 60_000
