import type { IconName } from '../parts/icons.ts'

/** The pages that the navigation leads to, in its order. */
export const links: { to: string; text: string; icon: IconName }[] = [
  { to: '/', text: 'Overview', icon: 'overview' },
  { to: '/requests', text: 'Requests', icon: 'requests' },
  { to: '/items', text: 'Items', icon: 'items' },
  { to: '/webhooks', text: 'Webhooks', icon: 'webhooks' },
  { to: '/verifications', text: 'Verifications', icon: 'verifications' },
  { to: '/audit', text: 'Audit', icon: 'audit' },
]
