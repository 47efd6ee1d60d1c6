import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { testOtherPages } from './accessibility.ts'
import { type Browsing, browse, desktop } from './browsing.ts'
import { testEveryConsole } from './console.ts'

// What browser.test.ts shows on a few pages, on those of every kind and every operation.

const chromium = findChromium('every page of the docs in a browser')

describe.skipIf(!chromium)('in a browser', () => {
  let browsing: Browsing
  beforeAll(async () => {
    browsing = await browse(chromium!)
  }, 60_000)
  afterAll(() => browsing?.close())
  afterEach(async () => {
    const problems = browsing.problems.splice(0)
    await browsing.page.evaluate(() => sessionStorage.clear())
    await browsing.page.setViewportSize(desktop)
    expect(problems).toEqual([])
  })

  testEveryConsole(() => browsing)
  testOtherPages(() => browsing)
})
