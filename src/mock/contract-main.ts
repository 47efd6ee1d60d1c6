import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { parseArgs } from 'node:util'
import { createContractMock, type MockSettings } from './contract-mock.ts'

// Starts the mock of a contract that `generate --contract` was given: usage [--port PORT], or PORT.

const folder = new URL('../../', import.meta.url)
const settings = JSON.parse(readFileSync(new URL('mock.json', folder), 'utf8')) as MockSettings
const { values } = parseArgs({
  options: { port: { type: 'string', default: process.env['PORT'] || '4010' } },
})
const mock = createContractMock(settings, new URL('generated/', folder))
const maximumBody = 1024 * 1024

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > maximumBody) return ''
  }
  return text
}

async function answer(request: IncomingMessage) {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]),
  )
  const { method = '', url = '/' } = request
  // `new URL` would take the part after two slashes for a host.
  const [pathname = '/'] = url.split('?')
  return mock({ method, path: pathname, headers, body: await readBody(request) })
}

const server = createServer(async (request, response) => {
  try {
    const { status, headers, body } = await answer(request)
    response.writeHead(status, { ...headers, 'Content-Type': 'application/json' })
    response.end(JSON.stringify(body))
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
})

server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  console.log(`${settings.title}, mock: http://127.0.0.1:${port}`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close())
