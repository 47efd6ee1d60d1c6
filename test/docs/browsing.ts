import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { startWorld } from '../support/service.ts'
import { siteFolder } from './site.ts'

/** A page of the docs in a browser, served by the service itself. */
export interface Browsing {
  origin: string
  page: Page
  /** What went wrong in the page, and what it asked of others than the service. */
  problems: string[]
  open(path: string): Promise<void>
  /** Goes on to another page as a link does, without a page load. */
  follow(path: string): Promise<void>
  close(): Promise<void>
}

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** Starts one service and one browser; the tests share them, as they share the page. */
export async function browse(chromium: string): Promise<Browsing> {
  let origin = ''
  const service = await startWorld({ docs: siteFolder, publicUrl: () => origin })
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await launchBrowser(chromium)
  // Colors that fade are judged half-way otherwise.
  const page = await browser.newPage({ viewport: desktop, reducedMotion: 'reduce' })
  const problems = watchProblems(page, origin)
  return {
    origin,
    page,
    problems,
    async open(path) {
      await page.goto(`${origin}/docs/${path}`)
      // Vue leaves its mark on the element that it has taken over.
      await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}))
    },
    async follow(path) {
      await page.evaluate(clickLink, `/docs/${path}`)
      await page.waitForURL(`${origin}/docs/${path}`)
    },
    close: () => close(browser, service),
  }
}

/** The site's router takes over every click on a link, wherever the link is. */
function clickLink(href: string): void {
  const link = document.createElement('a')
  link.href = href
  document.querySelector('#app')?.append(link)
  link.click()
  link.remove()
}

async function close(browser: Browser, service: { close(): Promise<void> }): Promise<void> {
  await browser.close()
  await service.close()
}

function watchProblems(page: Page, origin: string): string[] {
  const problems: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) problems.push(`asked for ${request.url()}`)
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  return problems
}
