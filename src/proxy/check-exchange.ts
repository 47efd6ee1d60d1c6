import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { headerNames } from '#contract/operations.ts'
import { type Version, versions } from '../../generated/versions.ts'
import type { Finding } from '../contract/judge-answer.ts'
import { type ContractIndex, type Known, versionOf } from './contract-index.ts'

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
  const found = known.judge.judge(known.operationId, {
    status: answer.status,
    header: (name) => textOf(answer.headers, name),
    body,
  })
  const { request_id } = Object(body) as Record<string, unknown>
  return {
    operationId: known.operationId,
    version: known.version,
    requestId: typeof request_id === 'string' ? request_id.slice(0, 64) : undefined,
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

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** The value of a JSON body; undefined if it is none. */
function readJson({ headers, body }: Message, mostBytes: number): unknown {
  if (!body) return undefined
  const encoding = textOf(headers, 'content-encoding')
  try {
    const decode = encoding === undefined ? undefined : decoders[encoding]
    const plain = decode ? decode(body, { maxOutputLength: mostBytes }) : body
    return JSON.parse(plain.toString('utf8'))
  } catch {
    return undefined
  }
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}
