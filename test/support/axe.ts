import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { root } from '../../scripts/contract/contract.ts'

const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')

/** A page that waits loads itself again, also while it is looked at. */
const loadedAgain = /context was destroyed/
const mostTries = 10

/** What axe finds wrong: each rule with the elements that break it. */
export async function violations(page: Page, options: RunOptions = {}): Promise<string[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await violationsNow(page, options)
    } catch (error) {
      if (tries === mostTries || !loadedAgain.test(String(error))) throw error
      await page.waitForLoadState()
    }
  }
}

async function violationsNow(page: Page, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const run = `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`
  const results = (await page.evaluate(run)) as AxeResults
  return results.violations.map(({ id, nodes }) => {
    return `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`
  })
}
