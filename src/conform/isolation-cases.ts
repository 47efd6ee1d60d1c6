import type { Finding } from '../contract/judge-answer.ts'
import { type Case, NotJudged, type Suite } from './case.ts'
import { dataOf, prepareExample } from './example-cases.ts'
import type { Subject } from './subjects.ts'

/** A client that repeats the request of another one gets nothing of it. */
export function isolationCases(suite: Suite, subject: Subject): Case[] {
  const [example] = subject.requests
  if (!example || suite.stateless) return []
  const { operationId } = subject
  return [
    {
      ...{ operationId, group: 'isolation', name: 'another client gets nothing' },
      data: dataOf(subject, example),
      async run() {
        const stranger = await suite.other()
        const own = await prepareExample(suite, subject, example)
        const mine = await prepareExample(suite, subject, example)
        const headers = { ...own.headers, ...suite.target.headers(stranger, suite.version) }
        // First the other one: the request may use up what it names.
        const theirs = await suite.target.send({ ...own, headers })
        const answered = await suite.target.send(mine)
        if (answered.status !== 200) throw new NotJudged('the request of the client itself fails')
        const sent = new TextDecoder().decode(own.body)
        const namesOwn = tokenField.test(sent)
        if (theirs.status !== 200) return subject.judge.judge(operationId, theirs)
        return namesOwn ? [leak] : sharedIn(theirs.body, answered.body, sent)
      },
    },
  ]
}

/** A token belongs to the client that it was issued to. */
const tokenField = /"(\w+_)?tokens?":/

const leak: Finding = {
  field: 'status',
  message: 'must be an error, since the token in the request was issued to another client',
}

/**
 * The ids that two answers share although the request names none of them. A cursor is no id: it may say
 * no more than the time, which is the same for two clients that ask at once.
 */
export function sharedIn(theirs: unknown, mine: unknown, sent: string): Finding[] {
  const own = new Set([...idsIn(mine)].map(([, id]) => id))
  return [...idsIn(theirs)]
    .filter(([field, id]) => own.has(id) && !sent.includes(id) && !/cursor$/.test(field))
    .map(([field]) => ({ field, message: 'is an id of another client' }))
}

/** Texts that only a program makes: long, and with digits. */
const opaque = /^(?=.*\d)[\w-]{14,}$/

function* idsIn(value: unknown, path = ''): Generator<[field: string, id: string]> {
  if (typeof value === 'string' && opaque.test(value)) yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const name = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key
    yield* idsIn(part, name)
  }
}
