import { headerNames } from '#contract/operations.ts'
import { type Version, versions } from '../../generated/versions.ts'
import { codeOf } from '../contract/code-of.ts'
import type { Finding } from '../contract/judge-answer.ts'
import { type Case, expectError, type Group, type Suite, sendTo } from './case.ts'
import type { Subject } from './subjects.ts'
import type { Answered } from './target.ts'

type Try = [name: string, answered: () => Promise<Answered>, expected: [number, string]]

const encoder = new TextEncoder()
const malformed = ['', '{"a":', '[]', '"text"', 'null', '{}}']

/** What holds for the HTTP requests of every operation. */
export function protocolCases(suite: Suite, subject: Subject): Case[] {
  const { operationId, oauth, maximumBody, path } = subject
  const post = (body: string, headers: Record<string, string | undefined> = {}) =>
    sendRaw(suite, subject, 'POST', body, headers)
  const json = JSON.stringify(subject.requests[0]?.value ?? {})
  const wrongBody: [number, string] = [400, oauth ? 'invalid_request' : 'INVALID_BODY']
  const wrongHeader: [number, string] = [400, oauth ? 'invalid_request' : 'INVALID_HEADERS']
  const text = { 'Content-Type': 'text/plain' }
  const noType = { 'Content-Type': undefined }
  const oldest = { [headerNames.version]: '1999-01-01' }
  const tries: Try[] = [
    ...malformed.map(
      (body): Try => [`rejects the body ${JSON.stringify(body)}`, () => post(body), wrongBody],
    ),
    ['takes a body of the most bytes', () => post(' '.repeat(maximumBody)), wrongBody],
    ['rejects a larger body', () => post(' '.repeat(maximumBody + 1)), [413, 'INVALID_BODY']],
    ['rejects another content type', () => post(json, text), wrongBody],
    ['rejects a request without a content type', () => post(json, noType), wrongHeader],
    ['rejects an unknown version', () => post(json, oldest), wrongHeader],
  ]
  const methods = ['GET', 'PUT', 'DELETE'].map(
    (method): Case => ({
      ...{ operationId, group: 'protocol', name: `rejects the method ${method}` },
      async run() {
        const answered = await sendRaw(suite, subject, method, '{}', {})
        const findings = expectError(subject, answered, [405, 'METHOD_NOT_ALLOWED'])
        if (answered.header('allow') === 'POST') return findings
        return [...findings, { field: 'header Allow', message: 'must be POST' }]
      },
    }),
  )
  return [...tries.map((one) => toCase(subject, 'protocol', one)), ...methods, caseOfPath(path)]

  function caseOfPath(known: string): Case {
    const name = 'rejects a path below its own'
    return {
      ...{ operationId, group: 'protocol', name },
      run: async () => {
        const answered = await sendRaw(suite, { path: `${known}/none` }, 'POST', '{}', {})
        return expectError({ ...subject, operationId: '' }, answered, [404, 'NOT_FOUND'])
      },
    }
  }
}

/** Who may call every operation. */
export function credentialCases(suite: Suite, subject: Subject): Case[] {
  const { oauth } = subject
  const body = JSON.stringify(subject.requests[0]?.value ?? {})
  const { clientId, secret } = suite.client
  const none = { [headerNames.clientId]: undefined, [headerNames.secret]: undefined }
  const wrong = { [headerNames.secret]: 'not-the-secret' }
  const rejected: [number, string] = oauth ? [401, 'invalid_client'] : [400, 'INVALID_API_KEYS']
  const missing: [number, string] = oauth ? [401, 'invalid_client'] : [400, 'MISSING_FIELDS']
  const send = (headers: Record<string, string | undefined>, sent = body) =>
    sendRaw(suite, subject, 'POST', sent, headers)
  const differing = JSON.stringify({ client_id: clientId, secret: 'not-the-secret' })
  const tries: Try[] = [
    ['rejects a request without credentials', () => send(none), missing],
    ['rejects a wrong secret', () => send(wrong), rejected],
    ['rejects two different secrets', () => send({}, differing), rejected],
  ]
  const name = 'takes credentials in the body'
  const inBody: Case = {
    ...{ operationId: subject.operationId, group: 'credentials', name },
    async run() {
      const answered = await send(none, JSON.stringify({ client_id: clientId, secret }))
      return expectOfEmpty(subject, answered, suite.version)
    },
  }
  return [...tries.map((one) => toCase(subject, 'credentials', one)), inBody]
}

/** Every dated version, by its header. */
export const versionCases = (suite: Suite, subject: Subject): Case[] =>
  (Object.keys(versions) as Version[]).map(
    (version): Case => ({
      ...{ operationId: subject.operationId, group: 'versions', name: `takes ${version}` },
      async run() {
        const header = { [headerNames.version]: version }
        return expectOfEmpty(subject, await sendTo(suite, subject, {}, header), version)
      },
    }),
  )

/** What an empty request gets: the code of what is missing, or anything but a wrong header. */
async function expectOfEmpty(
  subject: Subject,
  answered: Answered,
  version: Version,
): Promise<Finding[]> {
  const issues = (await subject.validator(version)).issues({})
  const code = codeOf(issues, subject.oauth)
  if (code !== undefined) {
    const { status, code: given } = answered
    if (status === 400 && given === code) return []
    return [{ field: 'error_code', message: `must be 400 ${code}, not ${status} ${given ?? ''}` }]
  }
  const isRejected = ['INVALID_HEADERS', 'INVALID_API_KEYS', 'invalid_client']
  if (!isRejected.includes(answered.code ?? '')) return []
  return [{ field: 'error_code', message: `must not be ${answered.code}` }]
}

const toCase = (subject: Subject, group: Group, [name, send, expected]: Try): Case => ({
  ...{ operationId: subject.operationId, group, name },
  run: async () => expectError(subject, await send(), expected),
})

/** Sends a request in which the headers are as given; undefined removes one. */
function sendRaw(
  { target, client, version }: Suite,
  { path }: Pick<Subject, 'path'>,
  method: string,
  body: string,
  changes: Record<string, string | undefined>,
): Promise<Answered> {
  const all = Object.entries({ ...target.headers(client, version), ...changes })
  const headers = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return target.send({
    ...{ path, method, body: encoder.encode(body) },
    headers: Object.fromEntries(headers),
  })
}
