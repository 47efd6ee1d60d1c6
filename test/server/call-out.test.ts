import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCallOut } from '../../src/server/protocols/call-out.ts'
import { type SimplefinServer, startSimplefin } from '../support/simplefin-server.ts'

let server: SimplefinServer
beforeAll(async () => {
  server = await startSimplefin()
})
afterAll(() => server.close())

const toUrl = (address: string) => ({ method: 'GET' as const, url: new URL(address) })
const ask = (options: Parameters<typeof createCallOut>[0]) =>
  createCallOut(options)(toUrl(`http://${server.host}/simplefin/accounts`))

test('a source that does not end its answer is left after a time', async () => {
  server.mishaps = ['slow']
  const late = ask({ targets: 'loopback', timeoutMs: 50 })
  await expect(late).rejects.toMatchObject({
    kind: 'outage',
    message: expect.stringMatching('time'),
  })
})

test('a process that ends does not wait', async () => {
  server.mishaps = ['slow']
  const stopping = new AbortController()
  const cut = ask({ targets: 'loopback', signal: stopping.signal })
  stopping.abort()
  await expect(cut).rejects.toMatchObject({ kind: 'outage' })
})

test.each([
  ['http://bank.example.com/simplefin', 'https'],
  ['https://127.0.0.1/simplefin', 'public'],
  ['https://[::1]/simplefin', 'public'],
  ['https://10.0.0.1/simplefin', 'public'],
  ['https://169.254.169.254/simplefin', 'public'],
  ['https://localhost/simplefin', 'public'],
])('%s is never called in production', async (address, reason) => {
  const call = createCallOut({ targets: 'public' })(toUrl(address))
  await expect(call).rejects.toMatchObject({ message: expect.stringContaining(reason) })
})

test('what is told of a failure has no address', async () => {
  const call = createCallOut({ targets: 'loopback' })(
    toUrl('http://user:secret@127.0.0.1:1/simplefin/claim/secret'),
  )
  await expect(call).rejects.toMatchObject({
    message: 'the source gave no response (ECONNREFUSED)',
  })
})
