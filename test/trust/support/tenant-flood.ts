import { connect } from 'node:net'
import type { Credentials } from '../../support/service-process.ts'
import { headersOf } from '../../support/service-process.ts'

// Calls of one client on many connections, one after the other on each, in a process of its own:
// `tenant-flood.ts <url> <connections> <seconds> <credentials as JSON>`; prints the statuses.

const [, , url = '', connections = '1', seconds = '1', credentials = '{}'] = process.argv
const { hostname, port } = new URL(url)
const body = '{"iso_currency_code":"GBP"}'
const headers = { Host: hostname, ...headersOf(JSON.parse(credentials) as Credentials) }
const lines = Object.entries(headers).map((pair) => pair.join(': '))
const request = `POST /wallet/list HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
/** Wrong credentials of an address slow down that address, which is not to be the one beside it. */
const localAddress = '127.0.0.2'
const statuses: Record<string, number> = {}
for (let made = 0; made < Number(connections); made += 1) {
  const options = { port: Number(port), host: hostname, localAddress }
  const socket = connect(options, () => socket.write(request))
  socket.setEncoding('latin1')
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (chunk: string) => {
    text += chunk
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (end < 0 || text.length < end + 4 + length) return
    const status = text.slice(9, 12)
    statuses[status] = (statuses[status] ?? 0) + 1
    text = ''
    socket.write(request)
  })
}
setTimeout(() => {
  process.stdout.write(JSON.stringify(statuses), () => process.exit())
}, Number(seconds) * 1000)
