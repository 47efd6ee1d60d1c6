import { eachOperation } from '../contract/contract.ts'
import { changelogPage } from './changelog-page.ts'
import { errorPages } from './error-pages.ts'
import { guidePages } from './guide-pages.ts'
import type { Page } from './html.ts'
import { operationIndex, sandboxIndex, startPage } from './index-pages.ts'
import { movePages } from './move-pages.ts'
import { operationPage } from './operation-page.ts'
import { type Site, sandboxSite } from './site.ts'
import { speedPage } from './speed-page.ts'
import { trustPage } from './trust-page.ts'
import { versionPage } from './version-page.ts'
import { webhookPages } from './webhook-pages.ts'

/** The whole site, in the order in which the index for machines lists it. */
export function everyPage(site: Site): Page[] {
  const ofSandbox = sandboxSite(site)
  return [
    startPage(site),
    ...guidePages(site),
    speedPage(),
    trustPage(),
    operationIndex(site),
    ...operationPages(site),
    ...webhookPages(site),
    sandboxIndex(ofSandbox),
    ...operationPages(ofSandbox),
    ...errorPages(site),
    versionPage(site),
    ...movePages(site),
    changelogPage(site),
  ]
}

const operationPages = (site: Site): Page[] =>
  eachOperation(site.contract).map((entry) => operationPage(site, entry))
