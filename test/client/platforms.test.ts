import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import vm from 'node:vm'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'

// The client must run wherever there is fetch: what it is made of may name nothing else.

/** Makes calls that need all of the client: a retry, an error, two pages, a form. */
const program = `
  import { createClient, paginate, ServiceError } from './src/index.ts'
  export async function run(baseUrl, fetch) {
    const client = createClient({ baseUrl, clientId: 'me', secret: 'hush', fetch })
    const wallets = []
    for await (const wallet of paginate(client, 'walletList', {})) wallets.push(wallet.wallet_id)
    const { error } = await client.walletGet({ wallet_id: 'none' })
    const { token_type } = await client.oauthToken({ grant_type: 'client_credentials' }).orThrow()
    return { wallets, refused: error instanceof ServiceError && error.error_code, token_type }
  }
`
const expected = { wallets: ['one', 'two'], refused: 'INVALID_FIELD', token_type: 'Bearer' }

/** What the program is answered; a first attempt at each list page fails. */
function answer(path: string, body: string, attempt: number): [status: number, body: object] {
  if (path === '/oauth/token')
    return [200, { token_type: body.startsWith('grant_type') && 'Bearer' }]
  if (path === '/wallet/get') return [400, { error_code: 'INVALID_FIELD', error_message: 'no' }]
  if (attempt === 1) return [503, { error_code: 'PLANNED_MAINTENANCE', error_message: 'later' }]
  const next = { wallets: [{ wallet_id: 'one' }], next_cursor: 'two' }
  return [200, body.includes('two') ? { wallets: [{ wallet_id: 'two' }], next_cursor: null } : next]
}

async function bundle(format: 'esm' | 'iife'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root },
    bundle: true,
    format,
    globalName: 'app',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}

describe('the client', () => {
  test('is built without a module of Node', async () => {
    const code = await bundle('esm')
    expect(code).not.toMatch(/\bfrom\s*["']|\brequire\(|\bimport\(/)
    expect(code).not.toMatch(/\bBuffer\b|\bsetImmediate\b|__dirname/)
  })

  test('runs where nothing is known but web APIs', async () => {
    const names = ['AbortController', 'FormData', 'Headers', 'Request', 'Response', 'URL']
    const functions = ['URLSearchParams', 'clearTimeout', 'performance', 'setTimeout']
    const web = [...names, ...functions].map((name) => [name, globalThis[name as 'URL']])
    const context = vm.createContext(Object.fromEntries(web))
    let attempts = 0
    const fetch = async (request: Request) => {
      const [status, body] = answer(new URL(request.url).pathname, await request.text(), ++attempts)
      return Response.json(body, { status })
    }
    vm.runInContext(await bundle('iife'), context)
    const outcome = await context['app'].run('http://service.example', fetch)
    expect(JSON.parse(JSON.stringify(outcome))).toEqual(expected)
  })
})

const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(existsSync)

describe.skipIf(!oldNode)('the Node of this machine', () => {
  let server: Server
  let folder: string
  let attempts = 0
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'client-'))
    server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      const [status, content] = answer(request.url ?? '', body, ++attempts)
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(content))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  test('runs the client as well', async () => {
    const { port } = server.address() as AddressInfo
    const print = `run('http://127.0.0.1:${port}').then((all) => console.log(JSON.stringify(all)))`
    const file = join(folder, 'app.mjs')
    writeFileSync(file, `${await bundle('esm')}\n${print}`)
    const { stdout } = await promisify(execFile)(oldNode!, [file])
    expect(JSON.parse(stdout)).toEqual(expected)
  })
})
