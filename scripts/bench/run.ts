import { setTimeout as sleep } from 'node:timers/promises'
import { askAt, type Case, cases, requestsOf } from './cases.ts'
import { type Choices, latencyOf, type Section } from './choices.ts'
import { coldStartLevels, measureColdStart, measureIdle, memoryLevels } from './cold-start.ts'
import { readMemory } from './cpu.ts'
import { requireEveryLine } from './features.ts'
import { type Figures, type Memory, takeNote } from './figures.ts'
import { latencyLevels, measureLatency } from './latency.ts'
import { throughputLevels } from './levels.ts'
import type { LoadGenerator } from './load.ts'
import { measureProject } from './project.ts'
import { measureThroughput, type Pair } from './rounds.ts'
import { isService, type ServerName } from './server-names.ts'
import type { Server } from './servers.ts'
import { isServiceProgram } from './service.ts'
import { type Stage, startServers } from './stage.ts'
import { measureValidators, validatorLevels } from './validators.ts'
import { measureWebhooks, webhookLevels } from './webhooks.ts'

type Tell = (line: string) => void

/** Measures all that is chosen, one part after the other. */
export async function run(
  stage: Stage,
  generator: LoadGenerator,
  choices: Choices,
  tell: Tell,
): Promise<Figures> {
  const { choice, quick } = choices
  const isChosen = (section: Section) => choice.sections.includes(section)
  const figures: Figures = {}
  const taken = takeNote((await stage.database())?.version)
  if (isChosen('project')) {
    const found = measureProject(stage, tell)
    if (found) figures.project = { taken, found, levels: [] }
  }
  if (isChosen('validators')) {
    const found = measureValidators(quick ? 20 : 200, tell)
    figures.validators = { taken, found, levels: validatorLevels(found) }
  }
  if (isChosen('cold-start')) {
    const found = await measureColdStart(stage, quick ? 5 : 20, tell)
    figures.coldStart = { taken, found, levels: coldStartLevels(found) }
  }
  const memory: Memory = { servers: [] }
  if (isChosen('memory')) {
    tell(`idle memory`)
    const { first, second } = await measureIdle(stage, quick ? 2 : 15)
    if (first !== undefined) memory.idleFirst = first
    if (second !== undefined) memory.idle = second
    figures.memory = { taken, found: memory, levels: [] }
  }
  const servers = await startServers(stage, serversFor(choices), tell)
  const started = memoryOf(servers)
  const pick = (names: readonly ServerName[], ids: readonly string[]) =>
    pairsOf(servers, names, ids)
  if (isChosen('throughput')) {
    const pairs = pick(['raw', ...(choice.servers as ServerName[])], choice.cases)
    const found = await measureThroughput(pairs, generator, choices.pace, tell)
    figures.throughput = { taken, found, levels: throughputLevels(found) }
  }
  if (isChosen('latency')) {
    const pairs = pick(...latencyOf(choice))
    const pace = quick ? { rounds: 1, seconds: 0.5 } : { rounds: 3, seconds: 1.5 }
    const found = await measureLatency(pairs, generator, pace, tell)
    figures.latency = { taken, found, levels: latencyLevels(found) }
  }
  if (isChosen('webhooks')) {
    const [reads] = pick(['sqlite'], ['walletGet'])
    const [writes] = pick(['sqlite'], ['protectEventSend'])
    const pace = quick ? { rounds: 1, seconds: 0.7 } : { rounds: 3, seconds: 2 }
    if (reads && writes) {
      const found = await measureWebhooks(reads, writes, generator, pace, tell)
      figures.webhooks = { taken, found, levels: webhookLevels(found) }
    }
  }
  if (figures.memory) {
    memory.servers = await measureLoaded(servers, started, quick ? 0 : 60, tell)
    figures.memory.levels = memoryLevels(memory)
  }
  const programs = new Set(servers.flatMap((server) => server.programs))
  await requireEveryLine([...programs].filter(isServiceProgram))
  return figures
}

/** What has to be there for the chosen parts. */
function serversFor({ choice }: Choices): ServerName[] {
  const isChosen = (section: Section) => choice.sections.includes(section)
  const names: ServerName[] = []
  if (isChosen('throughput') || isChosen('memory')) {
    names.push('raw', ...(choice.servers as ServerName[]))
  }
  if (isChosen('latency')) names.push(...latencyOf(choice)[0])
  if (isChosen('webhooks')) names.push('sqlite')
  return [...new Set(names)]
}

function pairsOf(
  servers: readonly Server[],
  names: readonly ServerName[],
  ids: readonly string[],
): Pair[] {
  const chosen = servers.filter(({ name }) => names.includes(name))
  return cases
    .filter(({ id }) => ids.includes(id))
    .flatMap((one) => chosen.map((server) => pairOf(server, one)))
}

/** Its requests are made anew each time: what the service alone knows may have changed. */
const pairOf = (server: Server, one: Case): Pair => ({
  server,
  case: one,
  async requests() {
    const ask = isService(server.name) ? askAt(server.programs[0]?.url ?? '') : undefined
    return requestsOf(one.path, await one.bodies(ask))
  },
})

/** What is held after the load, and after some time without requests; 0 leaves that out. */
async function measureLoaded(
  servers: readonly Server[],
  started: readonly Held[],
  seconds: number,
  tell: Tell,
): Promise<Memory['servers']> {
  const loaded = memoryOf(servers)
  if (seconds > 0) tell(`memory after ${seconds} seconds without requests`)
  await sleep(seconds * 1000)
  const rested = seconds > 0 ? memoryOf(servers) : []
  return loaded.map(({ server, memory }, place) => ({
    server,
    started: started[place]?.memory ?? 0,
    loaded: memory,
    ...(rested[place] && { rested: rested[place].memory }),
  }))
}

type Held = Pick<Memory['servers'][number], 'server'> & { memory: number }

/** Each process of two is as the one that is alone. */
const memoryOf = (servers: readonly Server[]): Held[] =>
  servers.flatMap(({ name, programs }) => {
    if (name === 'postgres-2') return []
    const memory = programs[0] && readMemory(programs[0].pid)
    return memory === undefined ? [] : [{ server: name, memory }]
  })
