import { readFileSync } from 'node:fs'
import {
  eachOperation,
  requestSchema,
  responseSchema,
  versions,
} from '../../../../scripts/contract/contract.ts'
import { codeOf } from '../../../../src/contract/code-of.ts'
import type { Validator } from '../../../../src/validators/validate.ts'
import { broken } from './broken.ts'
import { bundleOf } from './mutants.ts'

export interface Answer {
  status: string
  code: string | undefined
  body: unknown
  headers: Record<string, string>
}

export interface Asked {
  body: unknown
  /** What the fields were rejected with; undefined when they were accepted. */
  code: string | undefined
}

/** What went in and out at one operation, in one version. */
export interface Exchange {
  requests: Asked[]
  answers: Answer[]
}

export interface Corpus {
  /** By version and operation. */
  exchanges: Map<string, Exchange>
  /** The bodies of webhooks, by their names. */
  webhooks: Map<string, unknown[]>
}

interface Line {
  kind: 'request' | 'answer' | 'webhook'
  about: string[]
  message: unknown
  headers: Record<string, string> | string[]
}

// These answer before anyone has looked at the fields.
const early = ['INVALID_BODY', 'INVALID_HEADERS', 'INVALID_API_KEYS', 'INCOMPATIBLE_API_VERSION']
const ofOAuth = ['invalid_request', 'invalid_client']

export const keyOf = (version: string, id: string): string => `${version} ${id}`

/** Reads what was recorded; requests that tell nothing about their fields are left out. */
export function readCorpus(file: string): Corpus {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const corpus: Corpus = { exchanges: new Map(), webhooks: new Map() }
  const ids = new Map(
    eachOperation(bundleOf(versions.at(-1)!)).map(({ path, operation }) => [
      path,
      operation.operationId,
    ]),
  )
  const judges = new Map(versions.map((version) => [version, judgesOf(version)]))
  for (const text of lines) {
    const { kind, about, message, headers } = JSON.parse(text) as Line
    const [first = '', version = '', status = '', code] = about
    if (kind === 'webhook') {
      corpus.webhooks.set(first, [...(corpus.webhooks.get(first) ?? []), message])
      continue
    }
    const id = ids.get(first)
    if (id === undefined || !judges.has(version)) continue
    const key = keyOf(version, id)
    const exchange = corpus.exchanges.get(key) ?? { requests: [], answers: [] }
    corpus.exchanges.set(key, exchange)
    if (kind === 'answer') {
      // A fault that is injected puts values into answers that no contract has.
      if (status === '200' && !judges.get(version)!.answers(id, message)) continue
      exchange.answers.push({
        status,
        code,
        body: message,
        headers: headers as Record<string, string>,
      })
      continue
    }
    const verdict = judges.get(version)!.requests(id, message)
    const isEarly = status !== '200' && (status !== '400' || early.includes(code ?? ''))
    const isSettled =
      verdict === undefined ? !isEarly && !ofOAuth.includes(code ?? '') : verdict === code
    if (isSettled) exchange.requests.push({ body: message, code: verdict })
  }
  return corpus
}

/** How the contract as it is judges a body. */
function judgesOf(version: string) {
  const whole = broken(undefined, version, bundleOf(version))
  const operations = new Map(
    eachOperation(whole.contract).map(({ operation }) => [operation.operationId, operation]),
  )
  const known = new Map<string, Validator<unknown>>()
  return {
    requests(id: string, body: unknown): string | undefined {
      const validator = known.get(id) ?? whole.requestOf(requestSchema(operations.get(id)!))
      known.set(id, validator)
      return codeOf(validator.issues(body), id.startsWith('oauth'))
    },
    answers(id: string, body: unknown): boolean {
      const schema = responseSchema(whole.contract, operations.get(id)!)
      return whole.compiled('exact', schema)(body) as boolean
    },
  }
}
