import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../command.ts'
import { root } from '../contract/contract.ts'
import { readOlder } from './builds.ts'
import { type Choices, readChoices, usage } from './choices.ts'
import { allLevels, type Figures, keepFigures } from './figures.ts'
import { measureGrowth } from './growth.ts'
import * as growthReport from './growth-report.ts'
import { judge } from './levels.ts'
import { toText } from './report.ts'
import { run } from './run.ts'
import { openStage, requireBuild } from './stage.ts'

const tell = (line: string): void => console.error(`  ${line}`)

/** What was measured, as text and for the record, and whether every level was reached. */
interface Outcome {
  figures: Figures
  text: string
  isReached: boolean
}

async function measureSpeed(choices: Choices): Promise<Outcome> {
  if (choices.before !== undefined) readOlder(choices.before)
  const stage = openStage({ built: choices.dist, quick: choices.quick }, tell)
  try {
    const figures = await run(stage, choices, tell)
    const isReached = allLevels(figures).every((level) => judge(level) !== 'missed')
    return { figures, text: toText(figures), isReached }
  } finally {
    await stage.close()
  }
}

async function measureSizes({ growthOf, dist = join(root, 'dist') }: Choices): Promise<Outcome> {
  const growth = await measureGrowth({ ...growthOf, dist }, tell)
  const isReached = growthReport.tooMuch(growth).length === 0
  return { figures: { growth }, text: growthReport.toText(growth), isReached }
}

async function main(): Promise<boolean> {
  const choices = readChoices(process.argv.slice(2))
  if (choices.help) {
    console.log(usage)
    return true
  }
  if (choices.dist !== undefined) requireBuild(choices.dist)
  const begun = performance.now()
  const outcome = await (choices.growth ? measureSizes(choices) : measureSpeed(choices))
  console.log(`\n${outcome.text}\n`)
  tell(`took ${Math.round((performance.now() - begun) / 1000)} seconds`)
  if (choices.json) writeFileSync(choices.json, `${JSON.stringify(outcome.figures, null, 2)}\n`)
  if (choices.record) keepFigures(outcome.figures)
  return !choices.gate || outcome.isReached
}

await runCommand(main)
