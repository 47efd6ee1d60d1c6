import { openReceiver } from './receiver.ts'
import { countOf, type Report } from './report.ts'
import { casesOf, runCases } from './run.ts'
import { CannotBegin, openSuite, type SuiteOptions } from './suite.ts'

/** What a run of all cases is told. */
export interface ConformOptions extends Omit<SuiteOptions, 'receiver'> {
  /** The one operation that is judged; otherwise all. */
  only: string | undefined
  /** Where to listen for webhooks. */
  receiver: URL | undefined
  onCase(done: number, all: number, name: string): void
}

/** `only` names no operation. */
export class UnknownOperation extends Error {
  readonly known: string[]

  constructor(known: string[]) {
    super('there is no such operation')
    this.known = known
  }
}

/** Holds a service against the contract. */
export async function runConform({
  only,
  receiver: url,
  onCase,
  ...options
}: ConformOptions): Promise<Report> {
  const receiver = url && (await listen(url))
  try {
    const start = performance.now()
    const suite = await openSuite({ ...options, receiver })
    const cases = await casesOf(suite, only)
    if (cases.length === 0) {
      throw new UnknownOperation(suite.subjects.map(({ operationId }) => operationId))
    }
    const results = await runCases(suite, cases, (done, { operationId, name }) =>
      onCase(done, cases.length, `${operationId}: ${name}`),
    )
    if (suite.sandbox) await suite.stage.call('sandboxReset', {}).catch(() => {})
    return {
      ...{ base: options.base, version: options.version, sandbox: suite.sandbox },
      ...{ requests: suite.target.sent(), took: Math.round(performance.now() - start) },
      passed: countOf(results, 'passed'),
      failed: countOf(results, 'failed'),
      notJudged: countOf(results, 'not judged'),
      results,
    }
  } finally {
    await receiver?.close()
  }
}

async function listen(url: URL) {
  try {
    return await openReceiver(url)
  } catch (error) {
    throw new CannotBegin(`--receiver: ${(error as Error).message}`)
  }
}
