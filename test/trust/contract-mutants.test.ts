import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { currentVersion, versions } from '../../scripts/contract/contract.ts'
import { answers } from './support/judge-contract/answers.ts'
import { broken } from './support/judge-contract/broken.ts'
import { equivalence } from './support/judge-contract/equivalents.ts'
import { createTypeJudge } from './support/judge-contract/judge-types.ts'
import { allMutants, bundleOf, type Mutant, nameOf } from './support/judge-contract/mutants.ts'
import { recordTraffic } from './support/judge-contract/traffic.ts'
import {
  type JudgeName,
  judged,
  judgesOf,
  judgeTypes,
  type Verdict,
} from './support/judge-contract/verdicts.ts'
import { progress, report } from './support/report.ts'
import { atScale, seed } from './support/scale.ts'

// The bundle is broken in one place, in memory, as a change of its source would break it, and held
// against everything that knows the interface from somewhere else: the facts, rules and limits that are
// stated by hand, the contract's examples, what the service answered and accepted while its own
// tests ran, and the programs that are written against the types. Each is deaf to the others.
//
// Not all of them are independent of the contract: the service checks requests by validators that were
// generated from the whole bundle, so `requests` and `answers` show that the artefacts agree with one
// another, as the examples do, which stand in the bundle itself. Only the facts and the rules were
// written down apart from it; `without_facts_and_rules` is what is left when neither is asked.

// More than are wanted, since some of them change nothing that anybody could show.
const count = atScale({ quick: 24, normal: 560, long: 1500 })
const least = atScale({ quick: 15, normal: 500, long: 500 })
const compiled = atScale({ quick: 0, normal: 20, long: 200 })
const enough = atScale({ quick: 0.9, normal: 0.95, long: 0.95 })
const minute = 60_000

let traffic: Awaited<ReturnType<typeof recordTraffic>>
beforeAll(async () => {
  traffic = await recordTraffic()
}, 10 * minute)

const drawn = (mutant: Mutant): string =>
  createHash('sha256')
    .update(`${seed} ${nameOf(mutant)}`)
    .digest('hex')

/** Any of all mutants, each as likely as the other. */
function sample(): Mutant[] {
  const keyed = allMutants().map((mutant): [string, Mutant] => [drawn(mutant), mutant])
  keyed.sort(([one], [other]) => (one < other ? -1 : 1))
  return keyed.slice(0, count).map(([, mutant]) => mutant)
}

describe.each(versions)('version %s', (version) => {
  test('as it is, nothing is held against it', () => {
    for (const [name, judge] of Object.entries(judgesOf(traffic))) {
      const found = [...judge(broken(undefined, version, bundleOf(version)))]
      expect([name, found]).toEqual([name, []])
    }
  })
})

const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

const without = (verdicts: Verdict[], ...left: JudgeName[]): string => {
  const noticed = verdicts.filter(({ by }) => by.some((name) => !left.includes(name)))
  return share(noticed.length, verdicts.length)
}

function* judgeAll(mutants: Mutant[]): Generator<Verdict> {
  for (const [index, mutant] of mutants.entries()) {
    progress(`${index} of ${mutants.length} mutants`)
    yield judged(traffic, mutant)
  }
}

/** Asks the compiler about those that no one else but the facts has noticed; it takes seconds for each. */
async function compile(verdicts: Verdict[]): Promise<number> {
  const open = verdicts.filter(({ by }) => by.every((name) => name === 'facts')).slice(0, compiled)
  if (open.length === 0) return 0
  const judge = createTypeJudge(currentVersion)
  for (const [index, verdict] of open.entries()) {
    progress(`compiled ${index} of ${open.length}`)
    await judgeTypes(judge, verdict)
  }
  return open.length
}

test(
  'one error in the contract is detected',
  async () => {
    const drawn = sample()
    const telling = drawn.filter((mutant) => equivalence(mutant) === undefined)
    const verdicts = [...judgeAll(telling)]
    const compiledNow = await compile(verdicts)
    const survivors = verdicts.filter(({ by }) => by.length === 0)
    for (const name of survivors.map(({ mutant }) => nameOf(mutant))) {
      console.log(`not noticed: ${name}: ${answers[name] ?? 'NOT ANSWERED'}`)
    }
    const crashes = verdicts.flatMap((verdict) => verdict.crashes)
    for (const crash of crashes) console.log(`a judge failed: ${crash}`)
    const noticed = verdicts.length - survivors.length
    report('a break of the contract in one place is noticed', {
      possible: allMutants().length,
      tried: verdicts.length,
      changing_nothing: drawn.length - telling.length,
      noticed: share(noticed, verdicts.length),
      without_facts: without(verdicts, 'facts'),
      without_facts_and_rules: without(verdicts, 'facts', 'rules'),
      without_service: without(verdicts, 'answers', 'requests'),
      without_facts_and_service: without(verdicts, 'facts', 'answers', 'requests'),
      by_service_alone: without(verdicts, 'facts', 'rules', 'examples', 'types', 'compiler'),
      survivors: survivors.length,
      survivors_not_answered: survivors.filter(({ mutant }) => !answers[nameOf(mutant)]).length,
      not_compilable: verdicts.filter(({ by }) => by.includes('compiler')).length,
      crashes_of_judges: crashes.length,
      compiled: compiledNow,
      messages: traffic.messages,
    })
    expect(verdicts.length).toBeGreaterThanOrEqual(least)
    expect(noticed / verdicts.length).toBeGreaterThanOrEqual(enough)
  },
  atScale({ quick: 8, normal: 30, long: 90 }) * minute,
)
