import { readFileSync } from 'node:fs'
import { listen } from './listen.ts'

// The least that a JSON API in Node can do: `raw.ts <answers>`. Parses each body, and responds with
// `JSON.stringify` of the objects that the file has for its path, by turns.

const answers: Record<string, unknown[]> = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
let turn = 0

listen((body, { url = '' }) => {
  JSON.parse(body)
  const own = answers[url] ?? [{}]
  turn += 1
  return { body: JSON.stringify(own[turn % own.length]) }
})
