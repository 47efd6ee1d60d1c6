import { createServer } from 'node:http'

// What any server needs to start: plain JavaScript, nothing but node:http, and one answer.

const server = createServer((request, response) => request.resume().on('end', () => response.end()))

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
