import { type OperationId, operations as undatedOperations } from '../../generated/undated.ts'
import { type Version, versions } from '../../generated/versions.ts'
import { type AnswerJudge, createAnswerJudge } from '../contract/judge-answer.ts'
import { readDocument } from '../contract/read-document.ts'
import type { Validator } from '../validators/validate.ts'

/** An operation by its path, and what holds bodies against it. */
export interface Known {
  operationId: string
  version: Version
  mediaTypes: readonly string[]
  /** The field that a bearer token stands for. */
  bearerReplaces: string | null
  request: Validator<unknown>
  judge: AnswerJudge
}

interface Row {
  path: string
  mediaTypes: readonly string[]
  bearerReplaces: string | null
}

type Load = () => Promise<{ request: Validator<unknown> }>

/** The operations of all documents, which are read when a request first needs them. */
export interface ContractIndex {
  /** Whether any version has an operation at the path. */
  has(path: string): boolean
  find(path: string, version: Version): Promise<Known | undefined>
}

/** Reads the contract. `strict` also finds what a newer service may add. */
export async function createContractIndex(strict: boolean): Promise<ContractIndex> {
  const form = strict ? 'exact' : 'tolerant'
  const judges = new Map<string, AnswerJudge>()
  const judgeOf = (name: string) => {
    const judge = judges.get(name) ?? createAnswerJudge(readDocument(name), form)
    judges.set(name, judge)
    return judge
  }
  const documents = await documentsByOperation()
  const known = new Map<string, Promise<Known | undefined>>()
  const paths = new Set<string>()
  for (const load of Object.values(versions)) {
    for (const { path } of Object.values((await load()).operations)) paths.add(path)
  }
  for (const { path } of Object.values(undatedOperations)) paths.add(path)

  async function read(path: string, version: Version): Promise<Known | undefined> {
    const dated = await versions[version]()
    const rows = { ...undatedOperations, ...dated.operations } as unknown as Record<string, Row>
    const [operationId, row] = Object.entries(rows).find(([, one]) => one.path === path) ?? []
    if (operationId === undefined || !row) return undefined
    const document = documents.get(operationId) ?? version
    const { validators: undated } = await import('../../generated/undated.ts')
    const all = { ...undated, ...dated.validators } as unknown as Record<string, Load>
    const { request } = await (all[operationId] as Load)()
    const { mediaTypes, bearerReplaces } = row
    return { operationId, version, mediaTypes, bearerReplaces, request, judge: judgeOf(document) }
  }

  return {
    has: (path) => paths.has(path),
    find(path, version) {
      const key = `${version} ${path}`
      const found = known.get(key) ?? read(path, version)
      known.set(key, found)
      return found
    },
  }
}

/** The document of each operation without versions. */
async function documentsByOperation(): Promise<Map<string, string>> {
  const [platform, sandbox] = await Promise.all([
    import('../../generated/platform/operations.ts'),
    import('../../generated/sandbox/operations.ts'),
  ])
  return new Map(
    [platform, sandbox].flatMap(({ paths, version }) =>
      Object.keys(paths).map((id): [string, string] => [id as OperationId, version]),
    ),
  )
}

/** The version of a request by its header; undefined if there is no such version. */
export function versionOf(header: string | undefined, byDefault: Version): Version | undefined {
  if (header === undefined) return byDefault
  return Object.hasOwn(versions, header) ? (header as Version) : undefined
}
