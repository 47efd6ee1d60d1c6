import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Conformance, runConformance } from '../support/agent-conformance.ts'
import { agentToken } from '../support/agents.ts'
import { startWorld } from '../support/service.ts'

// The suite of the protocol's authors asks a server for everything that the protocol knows. Every
// scenario is in one of these lists, so a new release of the suite asks for a decision.

/** What the server has: no check may fail. */
const applies = {
  '2025-11-25': ['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list'],
  '2026-07-28': [
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'tools-list',
  ],
}

/** What the server has only some of: each check that may fail, with the reason. */
const inPart: Record<string, Record<string, string>> = {
  caching: {
    'sep-2549-prompts-list-caching-hints': 'there are no prompts',
    'sep-2549-resources-list-caching-hints': 'there are no resources',
    'sep-2549-resources-templates-list-caching-hints': 'there are no resources',
  },
  'server-stateless': {
    'sep-2575-server-rejects-undeclared-capability': 'no tool asks the client for anything',
    'sep-2575-missing-capability-http-400': 'no tool asks the client for anything',
    'sep-2575-http-server-no-independent-requests-on-stream': 'no tool has a stream',
    'sep-2575-server-no-log-without-loglevel': 'the server sends no log',
  },
}

/** What the server does not have, by the beginning of the scenarios' names, and how it says so. */
const leftOut: { scenarios: RegExp; reason: string; says: RegExp }[] = [
  {
    scenarios: /^(prompts|resources|completion|logging)-|^tools-call-with-logging$/,
    reason: 'the server has tools only: a page of the docs is found by search_docs',
    says: /Method not found/,
  },
  {
    scenarios: /^(tools-call|elicitation|json-schema)-/,
    reason: 'the scenario calls a tool of the suite’s own server, and ours has other tools',
    says: /there is no such tool|not found/,
  },
  {
    scenarios: /^input-required-result-/,
    reason: 'no tool asks back: each call has all that it needs',
    says: /no such tool|Method not found|InputRequiredResult/,
  },
  {
    scenarios: /^tasks-/,
    reason: 'an extension that the server does not offer: every call is answered at once',
    says: /no such tool|Not testable|MUST|-326\d\d|unavailable|Skipped/,
  },
  {
    scenarios: /^http-custom-header-server-validation$/,
    reason: 'no field of a tool is also a header',
    says: /no tool with x-mcp-header/,
  },
  {
    scenarios: /^server-(session|sse)-/,
    reason: 'the server keeps no session, so there is no stream to continue',
    says: /^$|event|retry|session/i,
  },
]

type Revision = keyof typeof applies
const revisions = Object.keys(applies) as Revision[]

let service: Awaited<ReturnType<typeof startWorld>>
const results = {} as Record<Revision, Conformance>
beforeAll(async () => {
  service = await startWorld()
  const token = await agentToken(service, service.client, 'mcp:dashboard mcp:sandbox')
  for (const revision of revisions) {
    results[revision] = await runConformance(service, token, revision)
  }
}, 300_000)
afterAll(() => service.close())

const failuresOf = (revision: Revision, scenario: string) =>
  results[revision][scenario]?.filter(({ status }) => status === 'FAILURE') ?? []

describe.each(revisions)('the revision %s', (revision) => {
  test.each(applies[revision])('holds in %s', (scenario) => {
    expect(results[revision][scenario]?.length).toBeGreaterThan(0)
    expect(failuresOf(revision, scenario)).toEqual([])
  })

  test('has no scenario about which nobody has decided', () => {
    const known = (scenario: string) =>
      applies[revision].includes(scenario) ||
      Object.hasOwn(inPart, scenario) ||
      leftOut.some(({ scenarios }) => scenarios.test(scenario))
    const scenarios = Object.keys(results[revision])
    expect(scenarios.length).toBeGreaterThan(25)
    expect(scenarios.filter((scenario) => !known(scenario))).toEqual([])
  })

  test('is answered by messages that follow its schema', () => {
    const checks = Object.values(results[revision]).flat()
    const wire = checks.filter(({ id }) => id === 'wire-schema-valid')
    expect(wire.length).toBeGreaterThan(25)
    expect(wire.filter(({ status }) => status !== 'SUCCESS')).toEqual([])
  })

  test('fails only where the server has nothing, which it says', () => {
    for (const scenario of Object.keys(results[revision])) {
      if (applies[revision].includes(scenario) || Object.hasOwn(inPart, scenario)) continue
      const { says } = leftOut.find(({ scenarios }) => scenarios.test(scenario)) ?? {}
      for (const { id, errorMessage = '' } of failuresOf(revision, scenario)) {
        expect(errorMessage, `${scenario}: ${id}`).toMatch(says ?? 'a reason')
      }
    }
  })
})

test.each(Object.keys(inPart))('%s holds but for what the server does not have', (scenario) => {
  const failed = failuresOf('2026-07-28', scenario).map(({ id }) => id)
  expect(failed.sort()).toEqual(Object.keys(inPart[scenario] ?? {}).sort())
  const passed = results['2026-07-28'][scenario]?.filter(({ status }) => status === 'SUCCESS')
  expect(passed?.length).toBeGreaterThan(3)
})
