import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv'
import type { AnswerCheck } from '../../src/server/pipeline/pipeline-service.ts'
import {
  type Contract,
  eachOperation,
  generatedFolder,
  responseSchema,
} from '../contract/contract.ts'
import { FormCompiler } from './form-compiler.ts'

const readContract = (name: string): Contract =>
  JSON.parse(readFileSync(join(generatedFolder(name), 'openapi.json'), 'utf8'))

/** Compiles the answers of a contract, closed, each when it is first needed. */
function compilerOf(name: string): (operationId: string) => ValidateFunction | undefined {
  const contract = readContract(name)
  const compiler = new FormCompiler(contract, 'exact')
  const compiled = new Map<string, ValidateFunction>()
  const schemas = new Map(
    eachOperation(contract).map(({ operation }) => [
      operation.operationId,
      responseSchema(contract, operation),
    ]),
  )
  return (operationId) => {
    const schema = schemas.get(operationId)
    if (!schema) return undefined
    const validate = compiled.get(operationId) ?? compiler.compile(schema)
    compiled.set(operationId, validate)
    return validate
  }
}

// Compiling takes seconds, so what one service of this process has compiled serves all.
const compilers = new Map<string, ReturnType<typeof compilerOf>>()

/** Checks every answer of the service exactly: as the contract has it, and nothing more. */
export function createAnswerCheck(): AnswerCheck {
  const of = (name: string) => {
    const known = compilers.get(name) ?? compilerOf(name)
    compilers.set(name, known)
    return known
  }
  return ({ operationId, version }, answer) => {
    const validate = of(version)(operationId) ?? of('sandbox')(operationId)
    if (!validate) return [`${operationId} is not described`]
    if (validate(answer)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, keyword, params }) =>
        `${instancePath || '/'} ${keyword} ${JSON.stringify(params)}`,
    )
  }
}
