import { eachOperation, readBundle } from '../contract/contract.ts'
import { sandbox } from '../contract/undated.ts'
import { bodiesOf, codesOf, comment, importBodies, unionOf } from './client-methods.ts'
import { declare, writeSource } from './source.ts'

/** Writes the sandbox endpoints as types, with what an editor shows of them. */
export function sandboxTypes(): void {
  const contract = readBundle(sandbox)
  const operations = eachOperation(contract).map(({ operation }) => operation)
  const methods = operations.map((operation) => {
    const [request, response] = bodiesOf(contract, operation)
    const codes = unionOf(codesOf(operation))
    const types = `(body: ${request}, options?: CallOptions): Call<${response}, ${codes}>`
    return `${comment(operation)}\n  ${operation.operationId}${types}\n`
  })
  writeSource(`${sandbox}/endpoints.ts`, 'generate/sandbox-types.ts', [
    `import type { Call, CallOptions } from '../../src/client/call.ts'`,
    importBodies(operations.flatMap((operation) => bodiesOf(contract, operation))),
    declare(
      'A method for each sandbox endpoint, named by its operationId.',
      `interface SandboxEndpoints {\n${methods.join('')}}`,
    ).trimEnd(),
  ])
}
