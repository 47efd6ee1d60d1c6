import { writeFileSync } from 'node:fs'
import { type Choices, readChoices, usage } from './choices.ts'
import { allLevels, type Figures, keepFigures } from './figures.ts'
import { tooMuch } from './growth-report.ts'
import { judge } from './levels.ts'
import { startLoadGenerator } from './load.ts'
import { toText } from './report.ts'
import { run } from './run.ts'
import { openStage } from './stage.ts'

const tell = (line: string): void => console.error(`  ${line}`)

async function measure(choices: Choices): Promise<Figures> {
  const stage = await openStage(choices.dist, tell)
  try {
    return await run(stage, startLoadGenerator(), choices, tell)
  } finally {
    await stage.close()
  }
}

async function main(): Promise<boolean> {
  const choices = readChoices(process.argv.slice(2))
  if (choices.help) {
    console.log(usage)
    return true
  }
  if (choices.growth) {
    const { measureGrowth } = await import('./growth.ts')
    const { dist, record } = choices
    const growth = await measureGrowth({ record, ...(dist === undefined ? {} : { dist }) })
    return !choices.gate || tooMuch(growth).length === 0
  }
  const begun = performance.now()
  const figures = await measure(choices)
  console.log(`\n${toText(figures)}\n`)
  tell(`took ${Math.round((performance.now() - begun) / 1000)} seconds`)
  if (choices.json) writeFileSync(choices.json, `${JSON.stringify(figures, null, 2)}\n`)
  if (choices.record) keepFigures(figures)
  return !choices.gate || allLevels(figures).every((level) => judge(level) !== 'missed')
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
