import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router'
import { rememberLists } from './data/last-list.ts'
import { Problem } from './data/problem.ts'
import { onSignedOut, queryClient } from './data/query-client.ts'
import { sessionQuery, signIn } from './data/session.ts'
import { dataRoutes } from './pages/data/routes.ts'

const signInPath = '/sign-in'

const routes: RouteRecordRaw[] = [
  { path: '/', component: () => import('./pages/overview/OverviewPage.vue') },
  { path: '/requests', component: () => import('./pages/requests/RequestsPage.vue') },
  {
    path: '/requests/:id',
    component: () => import('./pages/requests/RequestPage.vue'),
    props: true,
  },
  { path: '/items', component: () => import('./pages/items/ItemsPage.vue') },
  { path: '/items/:id', component: () => import('./pages/items/ItemPage.vue'), props: true },
  { path: '/webhooks', component: () => import('./pages/webhooks/WebhooksPage.vue') },
  {
    path: '/webhooks/:id',
    component: () => import('./pages/webhooks/WebhookPage.vue'),
    props: true,
  },
  {
    path: '/verifications',
    component: () => import('./pages/verifications/VerificationsPage.vue'),
  },
  {
    path: '/verifications/:id',
    component: () => import('./pages/verifications/VerificationPage.vue'),
    props: true,
  },
  { path: '/team', component: () => import('./pages/team/TeamPage.vue') },
  ...dataRoutes,
  { path: '/sandbox', component: () => import('./pages/sandbox/SandboxPage.vue') },
  { path: '/audit', component: () => import('./pages/audit/AuditPage.vue') },
  { path: signInPath, component: () => import('./pages/SignInPage.vue'), meta: { isBare: true } },
  { path: '/:rest(.*)*', component: () => import('./pages/MissingPage.vue') },
]

export const router = createRouter({
  history: createWebHistory('/dashboard'),
  routes,
  scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
})

rememberLists(router)

const signInFor = (next: string) => ({ path: signInPath, query: next === '/' ? {} : { next } })

/** Whether somebody is signed in, or is by now: the user of a sandbox on this machine needs no link. */
async function isSignedIn(): Promise<boolean> {
  const isRefused = (error: unknown) => error instanceof Problem && error.status === 401
  try {
    await queryClient.ensureQueryData(sessionQuery)
    return true
  } catch (error) {
    // The page itself tells of all other problems.
    if (!isRefused(error)) return true
  }
  return signIn().then(
    () => true,
    () => false,
  )
}

// Nothing is shown before it is known who asks.
router.beforeEach(async (to) => {
  if (to.path === signInPath || (await isSignedIn())) return true
  return signInFor(to.fullPath)
})

onSignedOut(() => {
  const { path, fullPath } = router.currentRoute.value
  if (path === signInPath || router.currentRoute.value.matched.length === 0) return
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
  void router.push(signInFor(fullPath))
})
