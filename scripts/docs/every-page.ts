import { eachOperation } from '../contract/contract.ts'
import { changelogPage } from './changelog-page.ts'
import { errorPages } from './error-pages.ts'
import { glossaryPage } from './glossary.ts'
import { guidePages } from './guide-pages.ts'
import { hasPart } from './has-part.ts'
import type { Page } from './html.ts'
import { operationIndex, undatedIndex } from './index-pages.ts'
import { movePages } from './move-pages.ts'
import { operationPage } from './operation-page.ts'
import { overviewPages } from './overview-page.ts'
import { type Site, undatedSites } from './site.ts'
import { speedPage } from './speed-page.ts'
import { startPage } from './start-page.ts'
import { trustPage } from './trust-page.ts'
import { versionPage } from './version-page.ts'
import { webhookPages } from './webhook-pages.ts'

/** The whole site, in the order in which the index for machines lists it. */
export function everyPage(site: Site): Page[] {
  return [
    startPage(site),
    ...overviewPages(),
    ...guidePages(site),
    ...(hasPart('glossary') ? [glossaryPage(site)] : []),
    ...(hasPart('measurements') ? [speedPage(), trustPage()] : []),
    operationIndex(site),
    ...operationPages(site),
    ...webhookPages(site),
    ...undatedSites(site).flatMap((own) => [undatedIndex(own), ...operationPages(own)]),
    ...errorPages(site),
    versionPage(site),
    ...movePages(site),
    ...(hasPart('changelog') ? [changelogPage(site)] : []),
  ]
}

const operationPages = (site: Site): Page[] =>
  eachOperation(site.contract).map((entry) => operationPage(site, entry))
