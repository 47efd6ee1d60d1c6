import { randomUUID } from 'node:crypto'
import { headerNames } from '#contract/operations.ts'
import type { Finding } from '../contract/judge-answer.ts'
import { type Case, NotJudged, type Suite } from './case.ts'
import { prepareExample } from './example-cases.ts'
import type { Prepared } from './replay.ts'
import type { RequestExample, Subject } from './subjects.ts'
import type { Answered } from './target.ts'

const parameter = '#/components/parameters/IdempotencyKey'

/** An operation that takes a key acts once for each key. */
export function retryCases(suite: Suite, subject: Subject): Case[] {
  const { operationId, operation } = subject
  const [first, second] = subject.requests
  const takesKey = operation.parameters?.some(({ $ref }) => $ref === parameter)
  if (suite.stateless || !takesKey || !first) return []
  const common = { operationId, group: 'retries', data: 'changes' } as const
  const once: Case = {
    ...common,
    name: 'acts once for each key',
    run: async () => judgeRepeated(await sendTwice(suite, subject, first)),
  }
  const other: Case = {
    ...common,
    name: 'rejects a key that was sent with another body',
    run: () => reuseKey(suite, subject, first, second as RequestExample),
  }
  return second ? [once, other] : [once]
}

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
  const { status, code = '' } = await suite.target.send(other)
  if (code === 'INVALID_HEADERS') return []
  const message = `must be INVALID_HEADERS for another body with the same key, not ${status} ${code}`
  return [{ field: 'status', message: message.trim() }]
}
