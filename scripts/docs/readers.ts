import { type Guide, guides } from './guides.ts'

/** A kind of reader, what the project gives them, and the guide with which they begin. */
export interface Reader {
  who: string
  gets: string
  guide: Guide
}

const all: [who: string, gets: string, guide: string][] = [
  [
    'API designer',
    'One OpenAPI description that everything derives from, and a report of breaking changes.',
    'design-the-api',
  ],
  [
    'Integrator',
    'A typed client with retries and pagination, verified webhooks, and validators.',
    'quick-start',
  ],
  [
    'Front-end developer',
    'A mock that returns any example or error of the contract on request.',
    'use-the-mock',
  ],
  [
    'Tester',
    'The service inside your tests, with its own seed data, clock and errors.',
    'test-with-it',
  ],
  [
    'Operator',
    'Health checks, metrics, traces, backups, and what to do when something is wrong.',
    'operate',
  ],
  [
    'Self-hoster',
    'One process on SQLite, or any number of processes on PostgreSQL.',
    'run-the-service',
  ],
]

export const readers = (): Reader[] => {
  const byPath = new Map(guides().map((guide) => [guide.path, guide]))
  return all.map(([who, gets, name]) => {
    const guide = byPath.get(`guides/${name}/`)
    if (!guide) throw new Error(`there is no guide ${name} for the ${who}`)
    return { who, gets, guide }
  })
}
