import { headerNames } from '#contract/client-table.ts'
import { currentVersion, versions } from '../../generated/versions.ts'
import type { Issue } from '../validators/issues.ts'
import { chooseExample, type ExamplesByStatus } from './choose-example.ts'
import { createPrism, type PrismMock } from './prism.ts'

// A mock of any contract: `generate --contract` puts it beside what it generates. That of our own
// contract, in answer.ts, makes the checks of our service instead.

/** What a contract's settings say of its mock. */
export interface MockSettings {
  title: string
  credentials: { client_id: string; secret: string }
  /** The keys of the errors for what is wrong with a request before its fields are read. */
  errors: { credentials: string; version: string; body: string; path: string }
}

/** A request as it arrived. */
export interface MockRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string | undefined>>
  body: string
}

export interface MockAnswer {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** The parts of generated operations that are used here. */
interface Dated {
  paths: Readonly<Record<string, string>>
  validators: Readonly<
    Record<string, () => Promise<{ request: { issues(value: unknown): Issue[] } }>>
  >
}

/** A dated version, with Prism on its bundle. */
interface Version extends Dated {
  prism: PrismMock
}

/** An error of the contract, as the answer to a request. */
class Rejection extends Error {
  readonly answer: MockAnswer

  constructor(answer: MockAnswer) {
    super()
    this.answer = answer
  }
}

/** Makes the mock of what is generated in a folder. */
export function createContractMock(settings: MockSettings, generated: URL) {
  const loaded = new Map<string, Promise<Version>>()
  const load = (date: string): Promise<Version> => {
    const known = loaded.get(date) ?? loadVersion(date, generated)
    loaded.set(date, known)
    return known
  }
  return async (request: MockRequest): Promise<MockAnswer> => {
    try {
      return await answer(settings, load, request)
    } catch (error) {
      if (error instanceof Rejection) return error.answer
      throw error
    }
  }
}

const dated: Readonly<Record<string, () => Promise<Dated>>> = versions

async function loadVersion(date: string, generated: URL): Promise<Version> {
  const load = dated[date] ?? versions[currentVersion]
  const file = new URL(`${date}/openapi.json`, generated)
  const [operations, prism] = await Promise.all([load(), createPrism(file)])
  return { ...operations, prism }
}

async function answer(
  { errors, credentials }: MockSettings,
  load: (date: string) => Promise<Version>,
  request: MockRequest,
): Promise<MockAnswer> {
  const header = (name: string) => request.headers[name.toLowerCase()]
  const date = header(headerNames.version) ?? currentVersion
  const isKnown = Object.hasOwn(versions, date)
  const { prism, paths, validators } = await load(isKnown ? date : currentVersion)
  if (!isKnown) {
    const known = Object.keys(versions).join(', ')
    throw rejection(prism, errors.version, `\`${headerNames.version}\` must be one of: ${known}`)
  }
  const isAt = (path: string | undefined) => request.method === 'POST' && path === request.path
  const operationId = Object.keys(paths).find((id) => isAt(paths[id])) ?? ''
  const loadValidators = validators[operationId]
  if (!loadValidators) throw rejection(prism, errors.path)
  const isClient =
    header(headerNames.clientId) === credentials.client_id &&
    header(headerNames.secret) === credentials.secret
  if (!isClient) throw rejection(prism, errors.credentials)
  const body = parse(request.body)
  if (!body) throw rejection(prism, errors.body)
  const issues = (await loadValidators()).request.issues(body)
  if (issues.length > 0) throw faulty(prism, issues)
  const chosen = choose(prism.examples(request.path), operationId, body, header('prefer'))
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  return prism.answer({ path: request.path, headers, body, ...chosen })
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The example that the header `Prefer` names, as in `code=400, example=INVALID_FIELD`, or the usual one. */
function choose(examples: ExamplesByStatus, operationId: string, body: object, prefer = '') {
  const wanted: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    prefer.split(/[,;]/).map((part) => part.trim().split('=')),
  )
  const name = wanted['example'] ?? ''
  const status = Object.keys(examples).find((one) => name in (examples[one] ?? {}))
  const code = wanted['code'] ?? status ?? '200'
  const ofCode = examples[code] ?? {}
  if (name in ofCode) return { code, example: name }
  const usual = code === '200' ? chooseExample(operationId, body, ofCode) : Object.keys(ofCode)[0]
  return { code, example: usual ?? '' }
}

/** The error that the contract has under a key, with a message about this request. */
function rejection(prism: PrismMock, key: string, message?: string, more: object = {}): Rejection {
  const { status, body } = prism.error(key)
  const told = message === undefined ? {} : { error_message: message }
  return new Rejection({ status, headers: {}, body: { ...body, ...told, ...more } })
}

function faulty(prism: PrismMock, issues: readonly Issue[]): Rejection {
  const [{ code, path, message }] = issues as [Issue]
  const fields = issues.map((issue) => ({ field: issue.path, message: issue.message }))
  const place = path === '' ? 'the body' : `\`${path}\``
  return rejection(prism, code, `${place} ${message}`, { fields: fields.slice(0, 20) })
}
