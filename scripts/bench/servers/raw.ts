import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The least that a JSON API in Node can do: `raw.ts <answers>`. Parses each body, and answers
// `JSON.stringify` of the objects that the file has for its path, by turns.

const answers: Record<string, unknown[]> = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
let turn = 0

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    const own = answers[request.url ?? ''] ?? [{}]
    turn += 1
    const text = JSON.stringify(own[turn % own.length])
    const length = Buffer.byteLength(text)
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length })
    response.end(text)
  })
})

server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
