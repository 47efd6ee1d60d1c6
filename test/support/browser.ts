import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/**
 * Chromium, where `CHROMIUM` says or in the usual place. Without it the tests that need it are left
 * out, with a line that tells so; with `REQUIRE_ALL=1` that is a failure.
 */
export function findChromium(what: string): string | undefined {
  const places = [process.env['CHROMIUM'], '/usr/bin/chromium']
  const found = places.find((place) => place && existsSync(place))
  if (found) return found
  const message = `${what}: there is no Chromium at $CHROMIUM or /usr/bin/chromium`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(message)
  console.log(`SKIPPED: ${message}`)
  return undefined
}

/** Starts Chromium with a profile of its own, and without the requests that it makes by itself. */
export const launchBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

export interface FileServer {
  origin: string
  /** The POST requests that came in; each is answered with `{"ok":true}`. */
  posts: { path: string; headers: IncomingMessage['headers']; body: string }[]
  close(): void
}

/** Serves a folder under `/docs/`, as the mock does. */
export async function serveDocs(folder: string): Promise<FileServer> {
  const posts: FileServer['posts'] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return serveFile(folder, request.url ?? '/', response)
    const chunks: Buffer[] = await request.toArray()
    const body = Buffer.concat(chunks).toString()
    posts.push({ path: request.url ?? '', headers: request.headers, body })
    response.writeHead(200, { 'Content-Type': types['.json'] }).end('{"ok":true}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, posts, close: () => void server.close() }
}

function serveFile(folder: string, url: string, response: ServerResponse): void {
  const path = normalize(decodeURIComponent(url.split(/[?#]/)[0]!))
  const file = join(folder, path.replace(/^\/docs\//, ''))
  const isFolder = existsSync(file) && statSync(file).isDirectory()
  if (isFolder && !path.endsWith('/')) {
    response.writeHead(301, { Location: `${path}/` }).end()
    return
  }
  const target = isFolder ? join(file, 'index.html') : file
  if (!path.startsWith('/docs/') || !existsSync(target)) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'Content-Type': types[extname(target)] ?? 'text/plain' })
  response.end(readFileSync(target))
}
