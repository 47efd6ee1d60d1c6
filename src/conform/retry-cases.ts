import { randomUUID } from 'node:crypto'
import { headerNames } from '#contract/operations.ts'
import type { Finding } from '../contract/judge-answer.ts'
import { type Case, NotJudged, type Suite } from './case.ts'
import { prepareExample } from './example-cases.ts'
import { sharedIn } from './isolation-cases.ts'
import type { Prepared } from './replay.ts'
import type { RequestExample, Subject } from './subjects.ts'
import type { Answered, Credentials } from './target.ts'

const encoder = new TextEncoder()
const parameter = '#/components/parameters/IdempotencyKey'

/** An operation that takes a key acts once for each key. */
export function retryCases(suite: Suite, subject: Subject): Case[] {
  const { operationId } = subject
  const [first, second] = subject.requests
  if (suite.stateless || !takesKeyOf(subject) || !first) return []
  const common = { operationId, group: 'retries', data: 'changes' } as const
  const once: Case = {
    ...common,
    name: 'acts once for each key',
    run: async () => judgeRepeated(await sendTwice(suite, subject, first)),
  }
  const cases: Case[] = [
    once,
    {
      ...common,
      name: 'gives nothing of a key to another client',
      run: () => repeatAsStranger(suite, subject, first),
    },
    {
      ...common,
      name: 'takes a key again after a failure',
      run: () => failFirst(suite, subject, first),
    },
  ]
  const [another] = suite.subjects.filter(
    (one) => one !== subject && takesKeyOf(one) && one.requests[0],
  )
  if (another) {
    cases.push({
      ...common,
      name: 'rejects a key that was sent to another operation',
      run: () => reuseElsewhere(suite, subject, another),
    })
  }
  if (second) {
    cases.push({
      ...common,
      name: 'rejects a key that was sent with another body',
      run: () => reuseKey(suite, subject, first, second),
    })
  }
  return cases
}

const takesKeyOf = ({ operation }: Subject): boolean =>
  operation.parameters?.some(({ $ref }) => $ref === parameter) ?? false

const withKey = (request: Prepared, key: string): Prepared => ({
  ...request,
  headers: { ...request.headers, [headerNames.idempotencyKey]: key },
})

async function sendTwice(suite: Suite, subject: Subject, example: RequestExample) {
  const request = withKey(await prepareExample(suite, subject, example), randomUUID())
  const first = await suite.target.send(request)
  if (first.status !== 200) throw new NotJudged('the request itself fails')
  return { first, second: await suite.target.send(request) }
}

function judgeRepeated({ first, second }: { first: Answered; second: Answered }): Finding[] {
  const findings: Finding[] = []
  if (withoutId(first) !== withoutId(second)) {
    const message = 'must equal the first answer, since the request repeats its key'
    findings.push({ field: 'body', message })
  }
  if (second.header('idempotent-replayed') !== 'true') {
    const message = 'must be true, since the request repeats a key'
    findings.push({ field: 'header Idempotent-Replayed', message })
  }
  return findings
}

/** First a wrong secret, then another client: a stored answer is of the client that got it. */
async function repeatAsStranger(
  suite: Suite,
  subject: Subject,
  example: RequestExample,
): Promise<Finding[]> {
  const request = withKey(await prepareExample(suite, subject, example), randomUUID())
  const mine = await suite.target.send(request)
  if (mine.status !== 200) throw new NotJudged('the request itself fails')
  const as = (credentials: Credentials) => ({
    ...request,
    headers: { ...request.headers, ...suite.target.headers(credentials, suite.version) },
  })
  const { clientId } = suite.client
  const guessed = await suite.target.send(as({ clientId, secret: `wrong${randomUUID()}` }))
  if (guessed.status === 200) {
    const message = 'must be an error for a wrong secret, although the key was sent before'
    return [{ field: 'status', message }]
  }
  const theirs = await suite.target.send(as(await suite.other()))
  if (theirs.status !== 200) return []
  const sent = new TextDecoder().decode(request.body)
  if (theirs.header('idempotent-replayed') !== 'true') {
    return sharedIn(theirs.body, mine.body, sent)
  }
  const message = 'must not be true, since another client sent the key before'
  return [{ field: 'header Idempotent-Replayed', message }]
}

/** Only what was done is stored under a key. */
async function failFirst(
  suite: Suite,
  subject: Subject,
  example: RequestExample,
): Promise<Finding[]> {
  const request = withKey(await prepareExample(suite, subject, example), randomUUID())
  const failed = await suite.target.send({ ...request, body: encoder.encode('{') })
  if (failed.status === 200) throw new NotJudged('a request that is no JSON succeeds')
  const { status, code = '' } = await suite.target.send(request)
  if (status === 200) return []
  const same = code === 'INVALID_HEADERS' || (status === failed.status && code === failed.code)
  if (!same) throw new NotJudged('the request itself fails')
  const message = `must be 200, since the call before with this key failed, not ${status} ${code}`
  return [{ field: 'status', message }]
}

async function reuseElsewhere(suite: Suite, subject: Subject, another: Subject) {
  const key = randomUUID()
  const [first, example] = [subject.requests[0], another.requests[0]] as [
    RequestExample,
    RequestExample,
  ]
  const other = withKey(await prepareExample(suite, another, example), key)
  const own = withKey(await prepareExample(suite, subject, first), key)
  if ((await suite.target.send(own)).status !== 200) throw new NotJudged('the request itself fails')
  return judgeReused(await suite.target.send(other), 'to another operation')
}

function judgeReused({ status, code = '' }: Answered, where: string): Finding[] {
  if (code === 'INVALID_HEADERS') return []
  const message = `must be INVALID_HEADERS for the same key ${where}, not ${status} ${code}`
  return [{ field: 'status', message: message.trim() }]
}

const withoutId = ({ body }: Answered): string =>
  JSON.stringify({ ...(body as object), request_id: undefined })

async function reuseKey(
  suite: Suite,
  subject: Subject,
  example: RequestExample,
  another: RequestExample,
): Promise<Finding[]> {
  const key = randomUUID()
  const first = await suite.target.send(withKey(await prepareExample(suite, subject, example), key))
  if (first.status !== 200) throw new NotJudged('the request itself fails')
  const other = withKey(await prepareExample(suite, subject, another), key)
  return judgeReused(await suite.target.send(other), 'with another body')
}
