import type { ValidateFunction } from 'ajv'
import { compilerOf } from '../../src/contract/form-compiler.ts'
import type { AnswerCheck } from '../../src/server/pipeline/pipeline-service.ts'
import { eachOperation, readBundle, responseSchema } from '../contract/contract.ts'
import { ofPages, undated } from '../contract/undated.ts'

/** Compiles the answers of a document, closed, each when it is first needed. */
function answersOf(document: string): (operationId: string) => ValidateFunction | undefined {
  const contract = readBundle(document)
  const schemas = new Map(
    eachOperation(contract).map(({ operation }) => [
      operation.operationId,
      responseSchema(contract, operation),
    ]),
  )
  const compiled = new Map<string, ValidateFunction>()
  return (operationId) => {
    const schema = schemas.get(operationId)
    if (!schema) return undefined
    const validate = compiled.get(operationId) ?? compilerOf(document, 'exact').compile(schema)
    compiled.set(operationId, validate)
    return validate
  }
}

const documents = new Map<string, ReturnType<typeof answersOf>>()

/** Checks every answer of the service exactly: as the contract has it, and nothing more. */
export function createAnswerCheck(): AnswerCheck {
  const of = (name: string) => {
    const known = documents.get(name) ?? answersOf(name)
    documents.set(name, known)
    return known
  }
  return ({ operationId, version }, answer) => {
    const [validate] = [version, ...undated, ...ofPages].flatMap(
      (name) => of(name)(operationId) ?? [],
    )
    if (!validate) return [`${operationId} is not described`]
    if (validate(answer)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, keyword, params }) =>
        `${instancePath || '/'} ${keyword} ${JSON.stringify(params)}`,
    )
  }
}
