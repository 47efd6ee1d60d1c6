import type { Finding } from '../contract/judge-answer.ts'
import { type Case, localizeReplay, NotJudged, type Suite } from './case.ts'
import { type Prepared, prepareReplay, setupOf } from './replay.ts'
import type { RequestExample, Subject } from './subjects.ts'
import type { Answered } from './target.ts'

const form = 'application/x-www-form-urlencoded'
const encoder = new TextEncoder()

/** Each example of a request succeeds, and its answer has the shape that the contract has. */
export const exampleCases = (suite: Suite, subject: Subject): Case[] =>
  subject.requests.map((example) => ({
    ...{ operationId: subject.operationId, group: 'answers', name: example.name },
    data: dataOf(subject, example),
    run: async () => {
      const answered = await suite.target.send(await prepareExample(suite, subject, example))
      return judgeSuccess(suite, subject, answered)
    },
  }))

/** A request that is safe to repeat changes nothing; what is set up before it may. */
export const dataOf = (
  { operation }: Subject,
  { replay = {} }: Pick<RequestExample, 'replay'>,
): 'reads' | 'changes' =>
  operation['x-retry-safe'] === true && setupOf(replay).length === 0 ? 'reads' : 'changes'

/** Makes what a request needs, and returns the request. */
export async function prepareExample(
  suite: Suite,
  subject: Subject,
  { value, replay, mediaType }: RequestExample,
): Promise<Prepared> {
  const { setup = [], body = value } = (suite.stateless ? undefined : replay) ?? {}
  const own = { setup, body, operationId: subject.operationId }
  const prepared = await prepareReplay(localizeReplay(suite, own), suite.stage)
  if (mediaType !== form) return prepared
  const fields = JSON.parse(new TextDecoder().decode(prepared.body))
  const headers = { ...prepared.headers, 'Content-Type': form }
  return { ...prepared, headers, body: encoder.encode(String(new URLSearchParams(fields))) }
}

/**
 * What is wrong with an answer that should be a success. Without the sandbox API, a documented error
 * may be right: nothing put the data there.
 */
export function judgeSuccess(suite: Suite, subject: Subject, answered: Answered): Finding[] {
  const shape = subject.judge.judge(subject.operationId, answered)
  const { status, code = '' } = answered
  if (status === 200) return shape
  const mayLackData = !suite.sandbox && !suite.stateless && status >= 400 && status < 500
  if (mayLackData && shape.length === 0) {
    throw new NotJudged(`needs data that only the sandbox API can make (${status} ${code})`)
  }
  return [{ field: 'status', message: `must be 200, not ${status} ${code}`.trim() }, ...shape]
}
