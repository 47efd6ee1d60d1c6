import type { RouteRecordRaw } from 'vue-router'

/** The lists of data and the pages of their entries. */
export const dataRoutes: RouteRecordRaw[] = [
  { path: '/data/reports', component: () => import('./ReportsPage.vue') },
  { path: '/data/reports/:id', component: () => import('./ReportPage.vue'), props: true },
  { path: '/data/wallets', component: () => import('./WalletsPage.vue') },
  { path: '/data/wallets/:id', component: () => import('./WalletPage.vue'), props: true },
  { path: '/data/transfers', component: () => import('./TransfersPage.vue') },
  { path: '/data/transfers/:id', component: () => import('./TransferPage.vue'), props: true },
  { path: '/data/users', component: () => import('./UsersPage.vue') },
  { path: '/data/users/:id', component: () => import('./UserPage.vue'), props: true },
  { path: '/data/institutions', component: () => import('./InstitutionsPage.vue') },
  { path: '/data/institutions/:id', component: () => import('./InstitutionPage.vue'), props: true },
]
