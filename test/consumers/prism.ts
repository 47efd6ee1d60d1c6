import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import type { Bundle, Example } from './bundles.ts'
import { start } from './programs.ts'

const limit = 60_000

/** Starts Prism's mock, and sends it each operation's first example. */
export async function mockWithPrism(bundle: Bundle, folder: string): Promise<void> {
  const port = await freePort()
  const args = ['mock', bundle.file, '--port', String(port), '--host', '127.0.0.1']
  const child = start({ name: '@stoplight/prism-cli', bin: 'prism', args, cwd: folder })
  const ended = new Promise<void>((done) => child.on('close', () => done()))
  try {
    await listening(child)
    for (const example of firstOfEach(bundle)) await send(port, example)
  } finally {
    child.kill()
    await ended
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

function listening(child: ChildProcess): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`Prism does not listen\n${output}`))
    setTimeout(fail, limit).unref()
    child.on('close', fail)
    child.stderr?.on('data', (data: Buffer) => (output += data))
    child.stdout?.on('data', (data: Buffer) => {
      output += data
      if (output.includes('Prism is listening')) resolve()
    })
  })
}

function firstOfEach({ examples }: Bundle): Example[] {
  const requests = examples.filter(({ isRequest }) => isRequest)
  return [...new Map(requests.toReversed().map((example) => [example.path, example])).values()]
}

async function send(port: number, { path, name, value }: Example): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}, ${name}: ${answer.status} ${text}`)
}
