import type { Finding } from '../contract/judge-answer.ts'
import { type Case, type Group, groups, NotJudged, SetupFailed, type Suite } from './case.ts'
import { errorCases } from './error-cases.ts'
import { exampleCases } from './example-cases.ts'
import { isolationCases } from './isolation-cases.ts'
import { pageCases } from './page-cases.ts'
import { credentialCases, protocolCases, versionCases } from './protocol-cases.ts'
import { requestCases } from './request-cases.ts'
import { retryCases } from './retry-cases.ts'
import { NoAnswer } from './target.ts'
import { webhookCases } from './webhook-cases.ts'
import { workflowCases } from './workflow-cases.ts'

/** How a case came out. */
export interface Result {
  operationId: string
  group: Group
  name: string
  outcome: 'passed' | 'failed' | 'not judged'
  findings: Finding[]
  /** Why it is not judged. */
  reason?: string
  /** Milliseconds. */
  took: number
}

/** All cases of a suite, in the order in which they run. */
export async function casesOf(suite: Suite, only: string | undefined): Promise<Case[]> {
  const { subjects } = suite
  const all: Case[] = []
  for (const subject of subjects) {
    if (suite.absent.has(subject.operationId)) {
      all.push(absentCase(subject.operationId))
      continue
    }
    all.push(...protocolCases(suite, subject), ...credentialCases(suite, subject))
    all.push(...versionCases(suite, subject), ...(await requestCases(suite, subject)))
    all.push(...exampleCases(suite, subject), ...pageCases(suite, subject))
    all.push(...retryCases(suite, subject), ...isolationCases(suite, subject))
  }
  const of = [errorCases, workflowCases, webhookCases]
  all.push(...of.flatMap((cases) => cases(suite, subjects)))
  return all
    .filter(({ operationId }) => only === undefined || operationId === only)
    .toSorted((one, other) => orderOf(one) - orderOf(other))
}

/** By group, and in a group first what changes nothing. */
const orderOf = ({ group, data }: Case): number =>
  2 * groups.indexOf(group) + (data === 'changes' ? 1 : 0)

const absentCase = (operationId: string): Case => ({
  ...{ operationId, group: 'protocol', name: 'exists' },
  async run() {
    throw new NotJudged('the service does not have this operation (404)')
  },
})

/** Runs the cases one after the other, since most of them share the client's data. */
export async function runCases(
  suite: Suite,
  cases: readonly Case[],
  tell: (done: number, next: Case) => void,
): Promise<Result[]> {
  const results: Result[] = []
  const hide = hiding(suite)
  // Another program may have changed the data before.
  let isChanged = true
  for (const [index, one] of cases.entries()) {
    tell(index, one)
    const start = performance.now()
    const { operationId, group, name } = one
    const came = await judgeOne(suite, one, isChanged)
    if (one.data) isChanged = one.data === 'changes'
    const took = Math.round(performance.now() - start)
    const findings = came.findings.map(({ field, message }) => {
      return { field: hide(field), message: hide(message) }
    })
    results.push({ operationId, group, name, ...came, findings, took })
  }
  return results
}

/** Hides the secret of the client: a faulty service may tell it where no secret belongs. */
const hiding =
  ({ client: { secret } }: Suite) =>
  (text: string): string =>
    text.replaceAll(secret, '(secret)')

type Came = Pick<Result, 'outcome' | 'findings' | 'reason'>

async function judgeOne(suite: Suite, one: Case, isChanged: boolean): Promise<Came> {
  try {
    if (one.data && isChanged && suite.sandbox) await suite.stage.call('sandboxReset', {})
    const findings = await one.run()
    return { outcome: findings.length > 0 ? 'failed' : 'passed', findings }
  } catch (error) {
    if (error instanceof NotJudged) {
      return { outcome: 'not judged', findings: [], reason: error.message }
    }
    const { message } = error as Error
    const isExpected = error instanceof NoAnswer || error instanceof SetupFailed
    const field = error instanceof SetupFailed ? 'setup' : ''
    const told = isExpected ? message : `the case ended early: ${message}`
    return { outcome: 'failed', findings: [{ field, message: told }] }
  }
}
