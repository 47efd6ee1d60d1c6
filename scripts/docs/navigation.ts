import type { DefaultTheme } from 'vitepress'
import { describeUndated, undated } from '../contract/undated.ts'
import { changelogPath } from './changelog-page.ts'
import { errorTypes } from './error-pages.ts'
import { glossaryPath } from './glossary.ts'
import { guides } from './guides.ts'
import { hasPart } from './has-part.ts'
import { breakable } from './html.ts'
import { byArea } from './index-pages.ts'
import { overviewPages, overviewPath } from './overview-page.ts'
import {
  errorPath,
  everyWebhook,
  nameOf,
  operationPath,
  type Site,
  undatedSites,
  webhookPath,
} from './site.ts'
import { speedPath } from './speed-page.ts'
import { trustPath } from './trust-page.ts'
import { movePath } from './version-moves.ts'
import { byType } from './webhook-pages.ts'

type Item = DefaultTheme.SidebarItem

export const nav: DefaultTheme.NavItem[] = [
  {
    text: hasPart('guides') ? 'Guides' : 'Start',
    link: '/',
    activeMatch: '^/(?:index$|overview/|guides/|glossary/|speed/|trust/|$)',
  },
  { text: 'Operations', link: '/operations/', activeMatch: '^/operations/' },
  { text: 'Webhooks', link: '/webhooks/', activeMatch: '^/webhooks/' },
  ...undated.map((name) => ({
    text: describeUndated(name).page,
    link: `/${name}/`,
    activeMatch: `^/${name}/`,
  })),
  { text: 'Errors', link: '/errors/', activeMatch: '^/errors/' },
  { text: 'Versions', link: '/versions/', activeMatch: '^/(?:versions|changelog)/' },
]

/** The sidebar of each part of the site. It is in every page, so it holds no more than its part. */
export function sidebar(site: Site): DefaultTheme.SidebarMulti {
  const ofUndated = undatedSites(site).map((own) => {
    const { list } = describeUndated(own.folder)
    return [`/${own.folder}/`, [whole(list, `/${own.folder}/`), ...areas(own)]]
  })
  return {
    ...Object.fromEntries(ofUndated),
    '/operations/': [whole('All operations', '/operations/'), ...areas(site)],
    '/webhooks/': [whole('All webhooks', '/webhooks/'), ...webhooks()],
    '/errors/': [whole('All errors', '/errors/'), ...errorGroups(site)],
    '/': [...chapters(), changes(site), reference()],
  }
}

const whole = (text: string, link: string): Item => ({ items: [{ text, link }] })

/** Links to the other parts, which the bar at the top has too, and the glossary. */
const reference = (): Item => ({
  text: 'Reference',
  items: [
    ...(overviewPages().length > 0 ? [{ text: 'API overview', link: `/${overviewPath}` }] : []),
    ...nav
      .filter((item) => 'link' in item && !['/', '/versions/'].includes(String(item.link)))
      .map((item) => item as Item),
    ...(hasPart('glossary') ? [{ text: 'Glossary', link: `/${glossaryPath}` }] : []),
  ],
})

/** The pages of figures, below the guides for operators. */
const measured: Item[] = [
  { text: 'Speed', link: `/${speedPath}` },
  { text: 'Reliability and security', link: `/${trustPath}` },
]

/** Where each group of guides begins, by the numbers of their files. */
const groups: [text: string, from: number][] = [
  ['Start', 1],
  ['Build', 4],
  ['Test', 10],
  ['Operate', 13],
  ['Design', 16],
]

function chapters(): Item[] {
  if (!hasPart('guides')) return [whole('Start', '/')]
  const all = Map.groupBy(
    guides(),
    ({ place }) => groups.findLast(([, from]) => place >= from)?.[0],
  )
  return groups.map(([text], index) => ({
    text,
    items: [
      ...(index === 0 ? [{ text: 'Start', link: '/' }] : []),
      ...(all.get(text) ?? []).map(({ title, path }) => ({ text: title, link: `/${path}` })),
      ...(text === 'Operate' && hasPart('measurements') ? measured : []),
    ],
  }))
}

function areas(site: Site): Item[] {
  return byArea(site.contract).map(([tag, all]) => ({
    text: tag['x-displayName'],
    items: all.map(({ operation }) => ({
      text: operation.summary,
      link: `/${operationPath(site, operation.operationId)}`,
    })),
  }))
}

function webhooks(): Item[] {
  return [...byType(everyWebhook())].map(([type, all]) => ({
    text: type,
    items: all.map(({ name, webhook }) => ({
      text: webhook.summary,
      link: `/${webhookPath(name)}`,
    })),
  }))
}

function changes({ moves }: Site): Item {
  return {
    text: 'Changes',
    items: [
      { text: 'Versions', link: '/versions/' },
      ...moves.map((move) => ({ text: `${move.from} to ${move.to}`, link: `/${movePath(move)}` })),
      ...(hasPart('changelog') ? [{ text: 'Changelog', link: `/${changelogPath}` }] : []),
    ],
  }
}

function errorGroups(site: Site): Item[] {
  return [...errorTypes(site)].map(([type, keys]) => ({
    text: breakable(type),
    collapsed: true,
    items: keys.map((key) => ({
      text: breakable(nameOf(site, key)),
      link: `/${errorPath(key)}`,
    })),
  }))
}
