import {
  productionPaths,
  operations as undatedOperations,
  validators as undatedValidators,
} from '../../generated/undated.ts'
import { type Version, versions } from '../../generated/versions.ts'
import {
  type Contract,
  eachExample,
  eachOperation,
  type OperationObject,
  requestSchema,
  resolve,
  type Schema,
} from '../contract/document.ts'
import { type AnswerJudge, createAnswerJudge } from '../contract/judge-answer.ts'
import { readDocument } from '../contract/read-document.ts'
import type { Validator } from '../validators/validate.ts'
import { type Replay, replayOf } from './replay.ts'

type Body = Record<string, unknown>

/** A request of the contract's examples, without credentials. */
export interface RequestExample {
  name: string
  mediaType: string
  value: Body
  replay: Replay | undefined
}

/** An operation that is judged. */
export interface Subject {
  operationId: string
  path: string
  /** Whether it is the same in all versions. A service may lack the whole document then. */
  undated: boolean
  contract: Contract
  operation: OperationObject
  schema: Schema
  oauth: boolean
  maximumBody: number
  requests: RequestExample[]
  judge: AnswerJudge
  validator(version?: Version): Promise<Validator<unknown>>
}

interface Row {
  oauth: boolean
  maximumBody: number
}

type Load = () => Promise<{ request: Validator<unknown> }>

const credentialFields = ['client_id', 'secret', 'client_secret', 'public_key']

/** Whether a body has credentials of its own, which are held against the headers' too. */
export const hasCredentials = (body: object): boolean =>
  credentialFields.some((name) => name in body)

export const withoutCredentials = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !credentialFields.includes(name)))

/** The operations of a dated version, and those without versions that production has. */
export async function readSubjects(version: Version): Promise<Subject[]> {
  const dated = await versions[version]()
  const judged = (name: string) => {
    const contract = readDocument(name)
    return { contract, judge: createAnswerJudge(contract, 'exact') }
  }
  const validator = async (operationId: string, other: Version = version) => {
    const { validators } = await versions[other]()
    const all = { ...undatedValidators, ...validators } as unknown as Record<string, Load>
    return (await (all[operationId] as Load)()).request
  }
  const rows = { ...undatedOperations, ...dated.operations } as unknown as Record<string, Row>
  const read = (name: string, undated: boolean): Subject[] => {
    const { contract, judge } = judged(name)
    return eachOperation(contract).map(({ path, operation }) => {
      const { operationId } = operation
      const { oauth, maximumBody } = rows[operationId] as Row
      return {
        ...{ operationId, path, undated, contract, operation, oauth, maximumBody, judge },
        schema: requestSchema(operation),
        requests: requestsOf(contract, operation),
        validator: (other) => validator(operationId, other),
      }
    })
  }
  return [
    ...read(version, false),
    ...Object.keys(productionPaths).flatMap((name) => read(name, true)),
  ]
}

function requestsOf(contract: Contract, { operationId, requestBody }: OperationObject) {
  const values = eachExample(contract).filter(({ place }) => place === `${operationId} request`)
  return values.map(({ name, mediaType, value }): RequestExample => {
    const example = resolve(contract, requestBody.content[mediaType]?.examples?.[name] ?? {})
    return { name, mediaType, value: withoutCredentials(value as Body), replay: replayOf(example) }
  })
}
