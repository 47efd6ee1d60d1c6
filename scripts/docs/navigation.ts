import type { DefaultTheme } from 'vitepress'
import { eachWebhook } from '../contract.ts'
import { errorTypes } from './error-pages.ts'
import { byArea } from './guide-pages.ts'
import { guides } from './guides.ts'
import { breakable } from './html.ts'
import { controlSurface, errorPath, nameOf, operationPath, type Site, webhookPath } from './site.ts'
import { byType } from './webhook-pages.ts'

export const nav: DefaultTheme.NavItem[] = [
  { text: 'Guide', link: '/', activeMatch: '^/(?:index$|guides/|$)' },
  { text: 'Operations', link: '/operations/', activeMatch: '^/operations/' },
  { text: 'Webhooks', link: '/webhooks/', activeMatch: '^/webhooks/' },
  { text: 'Control surface', link: '/sandbox/', activeMatch: '^/sandbox/' },
  { text: 'Errors', link: '/errors/', activeMatch: '^/errors/' },
  { text: 'Versions', link: '/versions/', activeMatch: '^/versions/' },
]

/** The sidebar: by area everywhere, by type on the pages of errors. */
export function sidebar(site: Site): DefaultTheme.SidebarMulti {
  return { '/errors/': errorGroups(site), '/': everything(site) }
}

const everything = (site: Site): DefaultTheme.SidebarItem[] => [
  chapters(),
  ...areas(site),
  webhooks(site),
  control(site),
]

function chapters(): DefaultTheme.SidebarItem {
  const items = guides().map(({ title, path }) => ({ text: title, link: `/${path}` }))
  return { text: 'Guides', items: [{ text: 'Introduction', link: '/' }, ...items] }
}

function areas(site: Site): DefaultTheme.SidebarItem[] {
  return byArea(site.contract).map(([tag, all]) => ({
    text: tag['x-displayName'],
    items: all.map(({ operation }) => ({
      text: operation.summary,
      link: `/${operationPath(site, operation.operationId)}`,
    })),
  }))
}

function webhooks({ contract }: Site): DefaultTheme.SidebarItem {
  const groups = [...byType(eachWebhook(contract)).values()]
  return {
    text: 'Webhooks',
    items: groups.flat().map(({ name, webhook }) => ({
      text: webhook.summary,
      link: `/${webhookPath(name)}`,
    })),
  }
}

/** Folded, since one who calls the service in production has no use for it. */
function control(site: Site): DefaultTheme.SidebarItem {
  const groups = areas(controlSurface(site))
  return {
    text: 'Control surface',
    collapsed: true,
    items: groups.map((group) => ({ ...group, collapsed: true })),
  }
}

function errorGroups(site: Site): DefaultTheme.SidebarItem[] {
  return [...errorTypes(site)].map(([type, keys]) => ({
    text: breakable(type),
    collapsed: true,
    items: keys.map((key) => ({
      text: breakable(nameOf(site, key)),
      link: `/${errorPath(key)}`,
    })),
  }))
}
