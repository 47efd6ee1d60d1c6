import type { IconName } from '../parts/icons.ts'
import type { Schemas } from './api.ts'

type Role = Schemas['DashboardRole']

interface PageLink {
  to: string
  text: string
  icon: IconName
  /** Who may see the page; everybody by default. The service decides, this only leaves links out. */
  roles?: readonly Role[]
}

const technical: readonly Role[] = ['developer', 'admin']
const admins: readonly Role[] = ['admin']

/** The pages that the navigation leads to, in its order. */
const links: readonly PageLink[] = [
  { to: '/', text: 'Overview', icon: 'overview' },
  { to: '/requests', text: 'Requests', icon: 'requests', roles: technical },
  { to: '/items', text: 'Items', icon: 'items', roles: technical },
  { to: '/webhooks', text: 'Webhooks', icon: 'webhooks', roles: technical },
  { to: '/verifications', text: 'Verifications', icon: 'verifications' },
  { to: '/team', text: 'Team', icon: 'team', roles: admins },
  { to: '/audit', text: 'Audit', icon: 'audit', roles: admins },
]

/** Those that a user may see; none before it is known who asks. */
export const linksFor = (role: Role | undefined): readonly PageLink[] =>
  role === undefined ? [] : links.filter(({ roles }) => roles === undefined || roles.includes(role))
