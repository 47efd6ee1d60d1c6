import { expect, test } from 'vitest'
import { progress, report } from './support/report.ts'
import { filesOf, ruleFiles, slices } from './support/rule-files.ts'
import { mutateCode, type Outcome, type Task } from './support/run-stryker.ts'
import { atScale } from './support/scale.ts'

// A test that passes whatever the code does proves nothing: each rule is changed in small ways, and
// some test of what it is part of has to fail.

const enough = 0.9
/** The limit of a run, many times what it takes on idle cores: nothing is cut on a slow machine. */
const minutes = atScale({ quick: 30, normal: 240, long: 2880 })
/** Fewer say nothing about the rules. */
const least = atScale({ quick: 100, normal: 100, long: 2000 })
const share = Number(process.env['MUTATE_SHARE'] ?? atScale({ quick: 1, normal: 0.04, long: 1 }))

/** Rules that need no service to be tried, with the tests that call them alone. */
const small: Task[] = [
  {
    files: ['kernel/money', 'kernel/time', 'worker/webhooks/retry', 'transfers/business-days'].map(
      (name) => `src/server/${name}.ts`,
    ),
    tests: ['transfers-calendar', 'small-rules'],
    share,
  },
]

/** The slices that are tried: all, unless some are named with commas between them. */
const chosen = process.env['MUTATE_SLICES']?.split(',') ?? Object.keys(slices)
for (const name of chosen) if (!(name in slices)) throw new Error(`there is no slice ${name}`)
const everySlice = (): Task[] =>
  Object.entries(slices)
    .filter(([name]) => chosen.includes(name))
    .map(([, slice]) => ({ files: filesOf(slice), tests: slice.tests, share }))

function tellMissed(survivors: readonly Outcome[]): void {
  for (const { file, line, mutatorName, replacement } of survivors) {
    console.log(`not noticed: ${file}:${line} ${mutatorName} ${replacement}`)
  }
}

/** Also what fails a hook, such as the start of the service: the file with the hook fails. */
const detected = ({ status }: Outcome): boolean =>
  status === 'Killed' || status === 'Timeout' || status === 'RuntimeError'
const missed = ({ status }: Outcome): boolean => status === 'Survived' || status === 'NoCoverage'

test('every rule is in a slice', () => {
  const sliced = Object.values(slices).flatMap(filesOf)
  expect(sliced.sort()).toEqual(ruleFiles())
})

test(
  'a change of a rule of the service fails its tests',
  async () => {
    const outcomes: Outcome[] = []
    const signal = AbortSignal.timeout((minutes - 1) * 60_000)
    for (const task of atScale({ quick: small, normal: everySlice(), long: everySlice() })) {
      const found = await mutateCode(task, signal)
      outcomes.push(...found)
      tellMissed(found.filter(missed))
      const tried = outcomes.filter((one) => detected(one) || missed(one))
      progress(`${tried.filter(detected).length} of ${tried.length} changes were noticed`)
    }
    const survivors = outcomes.filter(missed)
    const noticed = outcomes.filter(detected).length
    const score = noticed / (noticed + survivors.length)
    report('a change of a rule of the service fails its tests', {
      files: new Set(outcomes.map(({ file }) => file)).size,
      changes: noticed + survivors.length,
      noticed,
      by_hook: outcomes.filter(({ status }) => status === 'RuntimeError').length,
      by_time_limit: outcomes.filter(({ status }) => status === 'Timeout').length,
      score: `${(100 * score).toFixed(1)} %`,
    })
    expect(score).toBeGreaterThanOrEqual(enough)
    expect(noticed + survivors.length).toBeGreaterThanOrEqual(least)
  },
  minutes * 60_000,
)
