import { operations } from '../../generated/dashboard/operations.ts'
import type { operations as Bodies } from '../../generated/dashboard/types.ts'
import type { PageOperationId } from '../../src/server/dashboard/page-handler.ts'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import type { Body, TestService } from './service.ts'

type Asked<Id extends PageOperationId> = Bodies[Id]['requestBody']['content']['application/json']
type Answer<Id extends PageOperationId> =
  Bodies[Id]['responses'][200]['content']['application/json']

/** A browser with the pages of the dashboard. It keeps the cookie that it gets. */
export interface DashboardBrowser {
  cookie: string
  /** Calls an operation as a page does; headers replace those of the page, and null removes one. */
  send(
    id: PageOperationId,
    body: unknown,
    headers?: Record<string, string | null>,
  ): Promise<{ status: number; body: Body; setCookie: string | undefined }>
  /** The same; throws when it is rejected. */
  ask<Id extends PageOperationId>(id: Id, body: Asked<Id>): Promise<Answer<Id>>
}

/** What a request comes from. */
export interface From {
  remoteAddress?: string
}

export function openDashboard(
  { app, url }: Pick<TestService, 'app' | 'url'>,
  { remoteAddress = '127.0.0.1' }: From = {},
): DashboardBrowser {
  const browser: DashboardBrowser = {
    cookie: '',
    async send(id, body, changed = {}) {
      const usual = {
        host: new URL(url).host,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        ...(browser.cookie === '' ? {} : { cookie: browser.cookie }),
      }
      const headers = Object.entries({ ...usual, ...changed }).filter(([, value]) => value !== null)
      const answer = await app.inject({
        method: 'POST',
        url: operations[id].path,
        headers: Object.fromEntries(headers) as Record<string, string>,
        payload: JSON.stringify(body),
        remoteAddress,
      })
      const set = [answer.headers['set-cookie'] ?? []].flat()
      for (const one of set) browser.cookie = withCookie(browser.cookie, one.split(';')[0] ?? '')
      const answered = JSON.parse(answer.payload) as Body
      return { status: answer.statusCode, body: answered, setCookie: set[0] }
    },
    async ask(id, body) {
      const { status, body: answer } = await browser.send(id, body)
      if (status !== 200) throw new Error(`${id}: ${JSON.stringify(answer)}`)
      return answer as never
    },
  }
  return browser
}

/** The cookies of a browser after one of them was set; without a value it is removed. */
function withCookie(cookies: string, set: string): string {
  const [name = ''] = set.split('=')
  const others = cookies.split('; ').filter((one) => one !== '' && !one.startsWith(`${name}=`))
  return [...others, ...(set === `${name}=` ? [] : [set])].join('; ')
}

/** A browser that is signed in as the user of a sandbox on their own machine. */
export async function openLocally(service: TestService): Promise<DashboardBrowser> {
  const browser = openDashboard(service)
  await browser.ask('dashboardSessionBegin', {})
  return browser
}

type Role = 'reviewer' | 'developer' | 'admin'

/** The key of a link for a new user of a client, or for a new operator. */
export async function createLink(
  { service }: TestService,
  user: { role?: Role; client_id?: string } = {},
): Promise<{ id: string; key: string }> {
  async function* nothing() {}
  const done = await runOperatorCommand(
    service,
    {
      actor: 'operator:test',
      dashboard: 'create',
      email_address: 'ada.prewitt@lender.example.com',
      role: user.role ?? 'admin',
      ...(user.client_id === undefined ? {} : { client_id: user.client_id }),
    },
    nothing(),
  )
  const [created] = 'users' in done ? done.users : []
  if (!created?.link) throw new Error('a new user has a link')
  return { id: created.id, key: new URL(created.link).hash.replace('#key=', '') }
}

/** A browser that is signed in as a new user of a client. */
export async function signIn(
  service: TestService,
  user: { role?: Role; client_id?: string },
): Promise<DashboardBrowser & { id: string }> {
  const { id, key } = await createLink(service, user)
  const browser = openDashboard(service)
  await browser.ask('dashboardSessionBegin', { key })
  return Object.assign(browser, { id })
}
