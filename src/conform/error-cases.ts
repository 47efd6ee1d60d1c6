import { headerNames } from '#contract/operations.ts'
import { type Contract, type Example, eachOperation, resolve } from '../contract/document.ts'
import { type Case, expectError, localizeReplay, type Suite } from './case.ts'
import { prepareReplay, type Replay, replayOf, setupOf } from './replay.ts'
import type { Subject } from './subjects.ts'

/** Each documented error that a request can bring about. */
export function errorCases(suite: Suite, subjects: readonly Subject[]): Case[] {
  return Object.entries(errorsOf(subjects)).flatMap(([key, example]) => {
    const replay = replayOf(example)
    if (!replay || (suite.stateless && (replay.service || replay.setup))) return []
    // An unknown path is nobody's operation, and is judged by the first one's document.
    const subject = subjects.find(({ operationId }) => operationId === replay.operationId)
    const [first] = subjects
    const judged = subject ?? (replay.path && first ? { ...first, operationId: '' } : undefined)
    if (!judged || (subject && !isDocumented(subject, key))) return []
    return [errorCase(suite, judged, { key, example, replay })]
  })
}

interface Reached {
  key: string
  example: Example
  replay: Replay
}

const errorCase = (suite: Suite, subject: Subject, { key, example, replay }: Reached): Case => ({
  operationId: replay.operationId ?? 'any',
  group: 'errors',
  name: key,
  data: setupOf(replay).length > 0 ? 'changes' : 'reads',
  async run() {
    const prepared = await prepareReplay(localizeReplay(suite, replay), suite.stage)
    const version = replay.headers?.[headerNames.version] ?? suite.version
    const headers = { ...prepared.headers, [headerNames.version]: version }
    const answered = await suite.target.send({ ...prepared, headers }, { limited: true })
    const { error_code, error } = example.value as Record<string, unknown>
    const expected = [Number(example['x-status']), String(error_code ?? error)] as const
    return expectError(subject, answered, [...expected])
  },
})

/** The errors of all documents by their keys; the documents share most of them. */
function errorsOf(subjects: readonly Subject[]): Record<string, Example> {
  const contracts = new Set(subjects.map(({ contract }) => contract))
  const all = [...contracts].flatMap(({ components }) =>
    Object.entries(components.examples).filter(([, example]) => 'x-status' in example),
  )
  return Object.fromEntries(all)
}

/** Whether an operation lists the error. An older version may not. */
function isDocumented({ contract, operationId }: Subject, key: string): boolean {
  const entry = eachOperation(contract).find((one) => one.operation.operationId === operationId)
  return Object.values(entry?.operation.responses ?? {}).some((response) =>
    keysOf(contract, response).includes(key),
  )
}

const keysOf = (contract: Contract, response: object): string[] => {
  const { content = {} } = resolve(contract, response) as {
    content?: Record<string, { examples?: object }>
  }
  return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples))
}
