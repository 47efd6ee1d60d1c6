import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bug, bugs } from './support/fuzz/bugs.ts'
import type { CampaignTask, Outcome } from './support/fuzz/campaign.ts'
import { heldOut, heldOutLater } from './support/fuzz/held-out.ts'
import { copySources, plant, type SourceCopy, staleEdits } from './support/fuzz/plant.ts'
import { runTasks } from './support/fuzz/workers.ts'
import { progress, report } from './support/report.ts'
import { atScale, scale, seed } from './support/scale.ts'

// Bugs that are put into a copy of the sources, one at a time, each hunted in a process of its own.
// Their list was written along with the fuzzer, and many have a law that was made for their kind: that
// all are found shows that the laws work, not what share of any bugs it finds. For that there are the
// held-out ones, which were chosen afterwards.

const minute = 60_000

/** The sources as they are; all others are copies of these, so that edits meanwhile do no harm. */
let sources: SourceCopy
beforeAll(() => {
  sources = copySources()
})
afterAll(() => sources.remove())

test('every bug of the lists still applies to the sources', () => {
  const all = [...bugs, ...heldOut, ...heldOutLater]
  const stale = all.flatMap((bug) => staleEdits(bug).map(({ file }) => `${file}: ${bug.name}`))
  expect(stale).toEqual([])
})

/** The whole list, or five that show themselves soon, others by each seed. */
function chosen(): readonly Bug[] {
  if (scale !== 'quick') return bugs
  const soon = bugs.filter(({ isRare }) => !isRare)
  return Array.from({ length: 5 }, (_, index) => soon[(seed * 5 + index) % soon.length] as Bug)
}

const time = atScale({ quick: 20_000, normal: 60_000, long: 120_000 })

/** A hunt is measured by what it computes, and on a busy machine that takes several times as long. */
const longest = (hunts: number) => 4 * hunts * time + 10 * minute

/** Hunts in a copy, for so many ms of computing. */
async function huntIn(copy: SourceCopy, time: number): Promise<Outcome> {
  const task: CampaignTask = {
    root: copy.root,
    seed,
    requests: 60_000,
    time,
    length: 200,
    shrink: 0,
    directed: false,
  }
  try {
    const [outcome] = await runTasks([task], { TEST_ENGINE: 'sqlite' })
    return outcome as Outcome
  } finally {
    copy.remove()
  }
}

interface Hunted {
  name: string
  outcome: Outcome
  /** Requests until an answer broke what has to hold; undefined where none did. */
  found: number | undefined
  /** The run itself broke, which says nothing about the bug. */
  isBroken: boolean
}

/** What a run says that fails by itself, or does not even begin. */
const broken = /^lives: (\w*Error\b|the process )/

async function hunt(bug: Bug): Promise<Hunted> {
  const { name, ends = false } = bug
  const outcome = await huntIn(plant(bug, sources.root), time)
  const { found, finding = '' } = outcome
  const isBroken = found !== undefined && !ends && (found < 1 || broken.test(finding))
  const [words = ''] = finding.split('\n')
  const result = isBroken ? 'broken' : (found ?? 'not found')
  console.log(`  ${result} · ${name} · ${words.slice(0, 120)}`)
  progress(name)
  return { name, outcome, found: isBroken ? undefined : found, isBroken }
}

/** Two at a time; those that take long come first, or one of them would be hunted alone at the end. */
async function huntAll(list: readonly Bug[]): Promise<Hunted[]> {
  const left = list.toSorted((one, other) => Number(other.isRare ?? 0) - Number(one.isRare ?? 0))
  const hunted: Hunted[] = []
  const worker = async () => {
    for (let bug = left.shift(); bug; bug = left.shift()) hunted.push(await hunt(bug))
  }
  await Promise.all([worker(), worker()])
  return hunted
}

const namesOf = (hunted: readonly { name: string }[]) => hunted.map(({ name }) => name)
const foundIn = (hunted: readonly Hunted[], list: readonly Bug[]) =>
  hunted.filter(({ name, found }) => found !== undefined && namesOf(list).includes(name)).length

test('nothing is found in a copy in which nothing was planted', {
  timeout: longest(1),
}, async () => {
  const outcome = await huntIn(
    copySources(sources.root),
    atScale({ quick: 4000, normal: time, long: time }),
  )
  report('the same search finds nothing in a copy of the sources as they are', {
    requests: outcome.reach.requests,
    findings: outcome.finding === undefined ? 0 : 1,
  })
  expect(outcome.finding).toBeUndefined()
  expect(outcome.reach.requests).toBeGreaterThan(0)
})

test('every planted bug is found', { timeout: longest(bugs.length) }, async () => {
  const hunted = await huntAll(chosen())
  const took = hunted.flatMap(({ found }) => (found === undefined ? [] : [found]))
  const inOrder = took.toSorted((one, other) => one - other)
  report('every bug of a list that was written along with the fuzzer is found', {
    planted: hunted.length,
    found: took.length,
    median_requests: inOrder[Math.floor(inOrder.length / 2)] ?? 0,
    most_requests: inOrder.at(-1) ?? 0,
  })
  expect(namesOf(hunted.filter(({ found }) => found === undefined))).toEqual([])
})

test.skipIf(scale === 'quick')(
  'bugs that the fuzzer was not made for are hunted, too',
  {
    timeout: longest(heldOut.length + heldOutLater.length),
  },
  async () => {
    const hunted = await huntAll([...heldOutLater, ...heldOut])
    report('bugs that were chosen after the laws were written are hunted, whether found or not', {
      held_out: heldOut.length,
      held_out_found: foundIn(hunted, heldOut),
      held_out_later: heldOutLater.length,
      held_out_later_found: foundIn(hunted, heldOutLater),
      not_found: namesOf(hunted.filter(({ found }) => found === undefined)).join('; '),
    })
    expect(namesOf(hunted.filter(({ isBroken }) => isBroken))).toEqual([])
  },
)
