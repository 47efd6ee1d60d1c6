import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { askAt, type Case, cases, requestsOf } from './cases.ts'
import type { Level } from './levels.ts'
import { type LoadGenerator, requireSuccess } from './load.ts'
import { type Program, startProgram } from './processes.ts'
import { inRounds } from './rounds.ts'
import { startService } from './service.ts'
import type { Stage } from './stage.ts'
import { median } from './statistics.ts'

/** What `proxy` adds to a request, beside a proxy that checks nothing. */
export interface ProxyTimes {
  /** Medians of the p50 of all rounds, in ms. */
  rows: { case: string; direct: number; plain: number; checking: number }[]
}

/** The operations whose requests are sent through it. */
export const proxied: readonly Case['id'][] = ['walletGet', 'accountsGet', 'transactionsSync']
const mostAdded = 1
/** Parsing and checking an answer of 150 kB alone takes most of a millisecond. */
const mostAddedToPages = 2
const isPage = (name: string): boolean => name === 'transactionsSync'

/** Sends the same requests to the service and through both proxies, one after the other, by turns. */
export async function measureProxy(
  { dist, folder }: Pick<Stage, 'dist' | 'folder'>,
  generator: LoadGenerator,
  pace: { rounds: number; seconds: number; cases: readonly Case['id'][] },
  tell: (line: string) => void,
): Promise<ProxyTimes> {
  const service = await startService({ dist, folder: join(folder, 'proxied'), name: 'proxied' })
  const plain = join(root, 'scripts/bench/servers/plain-proxy.ts')
  const command = [join(dist, 'src/cli/main.js'), 'proxy', '--port', '0', '--upstream', service.url]
  const ways: Record<'direct' | 'plain' | 'checking', Program> = {
    direct: service,
    plain: await startProgram([plain, service.url]),
    checking: await startProgram(command),
  }
  const rows: ProxyTimes['rows'] = []
  for (const one of cases.filter(({ id }) => pace.cases.includes(id))) {
    const requests = requestsOf(one.path, await one.bodies(askAt(service.url)))
    const tries = Object.entries(ways).map(([name, { url }]) => ({ name, url }))
    const measure = async ({ name, url }: { name: string; url: string }) => {
      const { seconds } = pace
      const sent = await generator.send({ urls: [url], requests, seconds, connections: 1 })
      requireSuccess(`${one.id}, ${name}`, sent)
      return sent.p50
    }
    // The first round compiles schemas and code.
    await inRounds(tries, 1, () => {}, measure)
    tell(`proxy: ${one.id}`)
    const found = await inRounds(tries, pace.rounds, () => {}, measure)
    const of = (name: string) =>
      median([...found].flatMap(([tried, times]) => (tried.name === name ? times : [])))
    rows.push({
      ...{ case: one.id, direct: of('direct'), plain: of('plain'), checking: of('checking') },
    })
  }
  for (const program of Object.values(ways).reverse()) await program.stop()
  return { rows }
}

export const proxyLevels = ({ rows }: ProxyTimes): Level[] =>
  rows.map((row) => ({
    what: `${row.case} through proxy, p50 ms more than through a plain proxy`,
    value: row.checking - row.plain,
    first: isPage(row.case) ? mostAddedToPages : mostAdded,
    atMost: true,
  }))
