import type { Case } from './cases.ts'
import { type LoadGenerator, requireSuccess } from './load.ts'
import type { Sending, Sent } from './send.ts'
import type { Server } from './servers.ts'
import { median, shuffle } from './statistics.ts'

/** One case on one server. */
export interface Target {
  name: string
  server: Server
  case: Case
  requests(): Promise<Sending[]>
  /** Has the server do what it would do for these requests later, while another one is measured. */
  finish(): Promise<void>
}

/** Measures everything once a round, in a random order. */
export async function inRounds<Item extends { name: string }, Found>(
  items: readonly Item[],
  rounds: number,
  tell: (line: string) => void,
  measureOne: (item: Item) => Promise<Found>,
): Promise<Map<Item, Found[]>> {
  const found = new Map<Item, Found[]>(items.map((item) => [item, []]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, item] of shuffle(items).entries()) {
      tell(`round ${round} of ${rounds}, ${index + 1} of ${items.length}: ${item.name}`)
      found.get(item)?.push(await measureOne(item))
    }
  }
  return found
}

/** The median of each figure; null where one was not measured. Not rounded: levels judge it. */
export function mediansOf<Figures extends object>(all: readonly Figures[]): Figures {
  const names = Object.keys(all[0] ?? {}) as (keyof Figures)[]
  const middle = (name: keyof Figures) => {
    const values = all.flatMap((one) => (one[name] === null ? [] : [Number(one[name])]))
    return values.length === all.length ? median(values) : null
  }
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as Figures
}

/** Loads a target at a rate, or without one with 50 connections; all requests have to succeed. */
export async function load(
  target: Target,
  generator: LoadGenerator,
  seconds: number,
  rate?: number,
): Promise<Sent> {
  const { server } = target
  const urls = server.programs.map(({ url }) => url)
  const requests = await target.requests()
  const sent = await generator.send(
    rate === undefined
      ? { urls, requests, seconds, connections: 50 }
      : { urls: urls.slice(0, 1), requests, seconds, rate, connections: 100 },
  )
  await target.finish()
  requireSuccess(target.name, sent)
  return sent
}

export const rateOf = ({ statuses, seconds }: Sent): number => (statuses[200] ?? 0) / seconds
