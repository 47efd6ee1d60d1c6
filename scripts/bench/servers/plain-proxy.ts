import { Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

// Passes requests on, and does nothing else: what a proxy costs that checks nothing.

const upstream = new URL(process.argv[2] ?? '')
const agent = new Agent({ keepAlive: true })

const server = createServer((request, response) => {
  const { url: path, method, headers } = request
  const onward = send(upstream, { agent, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  request.pipe(onward)
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
