import type { IncomingHttpHeaders } from 'node:http'
import { headerNames } from '#contract/operations.ts'
import { type Version, versions } from '../../generated/versions.ts'
import type { Finding } from '../contract/judge-answer.ts'
import { type ContractIndex, type Known, versionOf } from './contract-index.ts'
import { decode } from './decode.ts'

/** A finding, and the body that it is in. */
export interface ExchangeFinding extends Finding {
  part: 'request' | 'answer'
}

/** One request and its answer, as far as they were read. */
export interface Exchange {
  /** Without the query. */
  path: string
  request: Message
  answer: Message & { status: number }
}

/** Headers and body. The body is undefined if it was too large, or did not end. */
export interface Message {
  headers: IncomingHttpHeaders
  body: Buffer | undefined
}

/** What was found, and of which operation. */
export interface Checked {
  operationId: string
  version: Version
  requestId: string | undefined
  /** Whether the answer was judged. One whose coding is unknown, or that unpacks to too much, was not. */
  isJudged: boolean
  findings: ExchangeFinding[]
}

/** Holds both bodies of an exchange against the contract. Undefined: the contract has no such path. */
export async function checkExchange(
  index: ContractIndex,
  { path, request, answer }: Exchange,
  { byDefault, mostBytes }: { byDefault: Version; mostBytes: number },
): Promise<Checked | undefined> {
  const named = textOf(request.headers, headerNames.version)
  const version = versionOf(named, byDefault)
  const known = await index.find(path, version ?? byDefault)
  if (!known) return undefined
  const wrongVersion = version === undefined ? [unknownVersion] : []
  const body = readJson(answer, mostBytes)
  const isJudged = body !== unreadable
  const header = (name: string) => textOf(answer.headers, name)
  const judged = { status: answer.status, header, body }
  const found = isJudged ? known.judge.judge(known.operationId, judged) : []
  const { request_id } = Object(body) as Record<string, unknown>
  return {
    operationId: known.operationId,
    version: known.version,
    requestId: typeof request_id === 'string' ? request_id.slice(0, 64) : undefined,
    isJudged,
    findings: [
      ...[...wrongVersion, ...judgeRequest(known, request, mostBytes)].map(inPart('request')),
      ...found.map(inPart('answer')),
    ],
  }
}

const inPart =
  (part: ExchangeFinding['part']) =>
  (finding: Finding): ExchangeFinding => ({ part, ...finding })

const unknownVersion: Finding = {
  field: `header ${headerNames.version}`,
  message: `must be one of: ${Object.keys(versions).join(', ')}`,
}

const form = 'application/x-www-form-urlencoded'

function judgeRequest(known: Known, message: Message, mostBytes: number): Finding[] {
  const { headers, body: bytes } = message
  const { mediaTypes, bearerReplaces, request } = known
  const type = textOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined || !mediaTypes.includes(type)) {
    const message = `must be ${mediaTypes.join(' or ')}`
    return [{ field: 'header Content-Type', message }]
  }
  if (!bytes) return []
  const body = type === form ? readForm(bytes) : readJson(message, mostBytes)
  if (body === unreadable) return []
  if (body === undefined) return [{ field: '', message: 'must be JSON' }]
  // A bearer token stands for the one field that the operation names.
  const isReplaced = bearerReplaces !== null && 'authorization' in headers
  return request
    .issues(body)
    .filter(({ path, code }) => !(isReplaced && path === '' && code === 'MISSING_FIELDS'))
    .map(({ path, message }) => ({ field: path, message }))
}

const readForm = (bytes: Buffer): unknown =>
  Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))

/** In place of a body that cannot be unpacked here. */
const unreadable = Symbol('unreadable')

/** The value of a JSON body; undefined if it is none. */
function readJson({ headers, body }: Message, mostBytes: number): unknown {
  if (!body) return undefined
  try {
    const plain = decode(body, textOf(headers, 'content-encoding'), mostBytes)
    return plain ? JSON.parse(plain.toString('utf8')) : unreadable
  } catch {
    return undefined
  }
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}
