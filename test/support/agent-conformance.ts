import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/contract/contract.ts'
import type { TestService } from './service.ts'

/** One rule of the protocol, and whether the server keeps it. */
export interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  errorMessage?: string
}

/** The checks of each scenario that a revision of the protocol requires. */
export type Conformance = Record<string, Check[]>

const program = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Runs the suite of the protocol's authors against `/mcp`, with a token, which the suite cannot send. */
export async function runConformance(
  service: TestService,
  token: string,
  revision: string,
): Promise<Conformance> {
  const door = await openDoor(service, token)
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const { port } = door.address() as AddressInfo
    const asked = ['server', '--url', `http://127.0.0.1:${port}/mcp`, '--requirements', revision]
    const run = promisify(execFile)(process.execPath, [program, ...asked, '-o', folder], {
      maxBuffer: 10_000_000,
    })
    // Its exit code only says that some scenario failed; the files say which checks.
    await run.catch((error: { stdout?: string }) => {
      if (!error.stdout?.includes('=== SUMMARY ===')) throw error
    })
    return readResults(folder)
  } finally {
    door.closeAllConnections()
    door.close()
    rmSync(folder, { recursive: true })
  }
}

/** Passes each request on as it is, but for the token: `Host` and `Origin` too. */
async function openDoor(service: TestService, token: string): Promise<Server> {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { 'transfer-encoding': _chunks, ...headers } = request.headers
    const {
      statusCode,
      headers: sent,
      rawPayload,
    } = await service.app.inject({
      method: request.method as 'POST',
      url: request.url ?? '/',
      headers: { ...(headers as Record<string, string>), authorization: `Bearer ${token}` },
      payload: Buffer.concat(parts),
    })
    const { connection: _kept, ...shown } = sent
    response.writeHead(statusCode, shown as Record<string, string>).end(rawPayload)
  }
  const door = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
  return door
}

/** Each scenario has a folder, whose name ends with the time. */
function readResults(folder: string): Conformance {
  const results = readdirSync(folder).map((name): [string, Check[]] => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
    return [scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'))]
  })
  return Object.fromEntries(results)
}
