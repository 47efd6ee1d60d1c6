import { readFile } from 'node:fs/promises'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createClientFromOperations } from '@stoplight/prism-http/dist/client.js'
import { pino } from 'pino'
import type { ExamplesByStatus } from './choose-example.ts'

/** Prism on one document's bundle. */
export interface PrismMock {
  /** The examples of an operation's answers by their names, by status. */
  examples(path: string): ExamplesByStatus
  /** The error under a key or code: its status, and its body as the contract shows it. */
  error(key: string): { status: number; body: object }
  /** The answer that Prism gives; the request has been checked before. */
  answer(request: PrismRequest): Promise<PrismAnswer>
}

interface PrismRequest {
  path: string
  headers: Record<string, string>
  body: unknown
  /** The status and the name of the example to answer with. */
  code: string
  example: string
}

interface PrismAnswer {
  status: number
  headers: Record<string, string>
  body: unknown
}

interface ErrorExample {
  'x-status'?: number
  value: Record<string, unknown>
}

interface Bundle {
  components: { examples?: Record<string, ErrorExample> }
  paths: Record<string, { post: { responses: Record<string, unknown> } }>
}

/** Loads a bundle into Prism. */
export async function createPrism(file: string | URL): Promise<PrismMock> {
  const bundle = JSON.parse(await readFile(file, 'utf8')) as Bundle
  const operations = await getHttpOperationsFromSpec(structuredClone(bundle))
  const client = createClientFromOperations(operations, {
    mock: { dynamic: false },
    isProxy: false,
    checkSecurity: false,
    // The checks before have judged the request; a bearer token makes good what a body lacks.
    validateRequest: false,
    // The answers are the contract's own examples, and nobody hears of the outcome.
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    logger: Object.assign(pino({ level: 'silent' }), { success: () => undefined }),
  })
  return {
    examples: (path) => examplesByStatus(bundle, path),
    error: (key) => errorOf(bundle, key),
    async answer({ path, headers, body, code, example }) {
      const mock = { dynamic: false, code: Number(code), exampleKey: example }
      const answer = await client.request(path, { method: 'post', headers, body }, { mock })
      const { 'Content-type': _, ...rest } = answer.headers as Record<string, string>
      return { status: answer.status, headers: rest, body: answer.data }
    },
  }
}

function errorOf({ components: { examples = {} } }: Bundle, key: string) {
  const found =
    examples[key] ?? Object.values(examples).find(({ value }) => value['error_code'] === key)
  if (!found) throw new Error(`the contract has no error ${key}`)
  return { status: found['x-status'] ?? 400, body: found.value }
}

function examplesByStatus(bundle: Bundle, path: string): ExamplesByStatus {
  const responses = Object.entries(bundle.paths[path]?.post.responses ?? {})
  return Object.fromEntries(
    responses.map(([status, response]) => {
      const { content } = follow(bundle, response) as {
        content?: Record<string, { examples?: Record<string, unknown> }>
      }
      const { examples = {} } = content?.['application/json'] ?? {}
      const values = Object.entries(examples).map(([name, example]) => {
        return [name, (follow(bundle, example) as { value: object }).value]
      })
      return [status, Object.fromEntries(values)]
    }),
  )
}

function follow(bundle: Bundle, node: unknown): unknown {
  const { $ref } = node as { $ref?: string }
  if ($ref === undefined) return node
  const keys = $ref.split('/').slice(1)
  return keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], bundle)
}
