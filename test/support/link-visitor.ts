import type { BodyOf } from '../../src/server/kernel/operation.ts'
import type { TestService } from './service.ts'

/** What a visitor was shown. */
export interface Shown {
  status: number
  path: string
  html: string
  headers: Record<string, string>
  /** The words of the page's heading. */
  heading: string
}

/** A browser without JavaScript, with cookies of its own. */
export interface Visitor {
  open(path: string): Promise<Shown>
  /** Sends the form of a page that was shown, the last one by default. */
  send(fields?: Fields, more?: { page?: Shown; headers?: Record<string, string> }): Promise<Shown>
  /** Sends a file with the form of a page. */
  upload(file: SentFile, more?: { page?: Shown; headers?: Record<string, string> }): Promise<Shown>
  /** The page that was shown last. */
  last(): Shown
  cookies: Map<string, string>
  /** Each `Set-Cookie` that it got. */
  given: string[]
}

/** A file that a visitor has chosen. */
export interface SentFile {
  name: string
  bytes: string | Uint8Array
}

type Fields = Record<string, string | readonly string[]>

const ownPage = { 'sec-fetch-site': 'same-origin' }

export function createVisitor(
  { app }: Pick<TestService, 'app'>,
  { language }: { language?: string } = {},
): Visitor {
  const cookies = new Map<string, string>()
  const given: string[] = []
  let last: Shown | undefined

  async function ask(path: string, body?: string | Buffer, headers = {}): Promise<Shown> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await app.inject({
      method: body === undefined ? 'GET' : 'POST',
      url: path,
      headers: {
        host: '127.0.0.1:4000',
        ...(cookie === '' ? {} : { cookie }),
        ...(language === undefined ? {} : { 'accept-language': language }),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      given.push(line)
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const { location } = answer.headers
    if (answer.statusCode === 303) return ask(location as string)
    last = {
      status: answer.statusCode,
      path,
      html: answer.body,
      headers: answer.headers as Record<string, string>,
      heading: toText(/<h1>(.*?)<\/h1>/s.exec(answer.body)?.[1] ?? ''),
    }
    return last
  }

  return {
    cookies,
    given,
    open: (path) => ask(path),
    last() {
      if (!last) throw new Error('no page was shown')
      return last
    },
    upload({ name, bytes }, { page = last, headers = ownPage } = {}) {
      if (!page) throw new Error('no page was shown')
      const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}`
      const body = Buffer.concat([
        Buffer.from(`${part('name="turn"')}\r\n\r\n${turnOf(page) ?? ''}\r\n`),
        Buffer.from(`${part(`name="file"; filename="${name}"`)}\r\n`),
        Buffer.from('content-type: application/octet-stream\r\n\r\n'),
        Buffer.from(bytes),
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ])
      const type = `multipart/form-data; boundary=${boundary}`
      const [, action = page.path] = /action="([^"]*)" enctype/.exec(page.html) ?? []
      return ask(action, body, { 'content-type': type, ...headers })
    },
    send(fields = {}, { page = last, headers = ownPage } = {}) {
      if (!page) throw new Error('no page was shown')
      const turn = turnOf(page)
      const form = new URLSearchParams(turn === undefined ? {} : { turn })
      for (const [name, value] of Object.entries(fields)) {
        for (const one of [value].flat()) form.append(name, one)
      }
      const [, action = page.path] = /<form method="post" action="([^"]*)"/.exec(page.html) ?? []
      return ask(toText(action), form.toString(), headers)
    },
  }
}

const boundary = 'a-boundary'

const turnOf = ({ html }: Shown): string | undefined => /name="turn" value="(\d+)"/.exec(html)?.[1]

const toText = (html: string): string =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')

/** The values of the elements with a name, in their order. */
export const valuesOf = ({ html }: Shown, name: string): string[] =>
  [...html.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(
    ([, value = '']) => value,
  )

/** A request for a link token that links an Item. */
export const linkRequest = {
  client_name: 'Larkspur & Lending',
  language: 'en',
  country_codes: ['US'],
  user: { client_user_id: 'borrower-7f3a' },
  products: ['transactions'],
} satisfies BodyOf<'linkTokenCreate'>

export const logIn = (visitor: Visitor, username = 'user_good') =>
  visitor.send({ username, password: 'any' })
