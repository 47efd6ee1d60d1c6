import type { IconName } from '../parts/icons.ts'
import type { Schemas } from './api.ts'
import { technicalRoles as technical } from './session.ts'

type Session = Schemas['DashboardSession']

/** A page that the navigation leads to. */
interface PageLink {
  to: string
  text: string
  icon: IconName
  /** Who may see it; left out, everybody. */
  roles?: readonly Session['role'][]
  /** Whether only a sandbox has it. */
  isOfSandbox?: true
}

const admins = ['admin'] as const

/** The pages in the order of the navigation, by the headings above them. */
const linkGroups: readonly { name?: string; links: readonly PageLink[] }[] = [
  {
    links: [
      { to: '/', text: 'Overview', icon: 'overview' },
      { to: '/requests', text: 'Requests', icon: 'requests', roles: technical },
      { to: '/items', text: 'Items', icon: 'items', roles: technical },
      { to: '/webhooks', text: 'Webhooks', icon: 'webhooks', roles: technical },
      { to: '/verifications', text: 'Verifications', icon: 'verifications' },
    ],
  },
  {
    name: 'Data',
    links: [
      { to: '/data/reports', text: 'Reports', icon: 'reports', roles: technical },
      { to: '/data/wallets', text: 'Wallets', icon: 'wallets', roles: technical },
      { to: '/data/transfers', text: 'Transfers', icon: 'transfers', roles: technical },
      { to: '/data/users', text: 'Users', icon: 'users' },
      { to: '/data/institutions', text: 'Institutions', icon: 'institutions', roles: technical },
    ],
  },
  {
    name: 'Administration',
    links: [
      { to: '/sandbox', text: 'Sandbox', icon: 'sandbox', roles: technical, isOfSandbox: true },
      { to: '/team', text: 'Team', icon: 'team', roles: admins },
      { to: '/audit', text: 'Audit', icon: 'audit', roles: admins },
    ],
  },
]

const isFor =
  (session: Session | undefined) =>
  ({ roles, isOfSandbox }: PageLink): boolean => {
    if (!session) return false
    const isThere = !isOfSandbox || session.environment === 'sandbox'
    return isThere && (roles === undefined || roles.includes(session.role))
  }

/** The groups with the pages that somebody may see. */
export const linkGroupsFor = (session: Session | undefined) =>
  linkGroups
    .map((group) => ({ ...group, links: group.links.filter(isFor(session)) }))
    .filter(({ links }) => links.length > 0)

/** The address of the page in the navigation that an address belongs to. */
export const pageOf = (path: string): string | undefined =>
  linkGroups
    .flatMap(({ links }) => links)
    .find(({ to }) => path === to || (to !== '/' && path.startsWith(`${to}/`)))?.to
