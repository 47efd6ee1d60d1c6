import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  banner,
  type Contract,
  componentName,
  eachOperation,
  generatedFolder,
  type OperationObject,
  readBundle,
  readCatalogue,
  readSandboxCatalogue,
  requestSchema,
  resolve,
  responseSchema,
  sandbox,
} from '../contract/contract.ts'

/** Writes the verbs of the control surface as types, with what an editor shows of them. */
export function controlTypes(): void {
  const contract = readBundle(sandbox)
  const catalogue = { ...readCatalogue(), ...readSandboxCatalogue() }
  const verbs = eachOperation(contract).map(({ operation }) => ({
    operation,
    request: componentName(requestSchema(operation))!,
    answer: componentName(responseSchema(contract, operation))!,
    codes: keysOf(contract, operation).map((key) => String(catalogue[key]!.value['error_code'])),
  }))
  const names = new Set(verbs.flatMap(({ request, answer }) => [request, answer]))
  const members = verbs.map(
    ({ operation, request, answer, codes }) =>
      `${comment(operation)}\n  ${operation.operationId}(body: ${request}, options?: CallOptions): ` +
      `Call<${answer}, ${[...new Set(codes)].map((code) => `'${code}'`).join(' | ')}>`,
  )
  const source = [
    banner('generate/control-types.ts'),
    `import type { Call, CallOptions } from '../../src/client/call.ts'`,
    `import type {\n  ${[...names].join(',\n  ')},\n} from './types.ts'\n`,
    '/** A method for each verb of the control surface, named by its operationId. */',
    `export interface Verbs {\n${members.join('\n')}\n}`,
    '',
  ]
  writeFileSync(join(generatedFolder(sandbox), 'verbs.ts'), source.join('\n'))
}

/** The keys of the errors that a verb lists. */
const keysOf = (contract: Contract, { responses }: OperationObject): string[] =>
  Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([, response]) => {
      const { content } = resolve(contract, response)
      return Object.keys(content?.['application/json']?.examples ?? {})
    })

function comment({ summary, description }: OperationObject): string {
  const lines = [`${summary}.`, '', ...description.trim().split('\n')]
  const text = lines.map((line) => `   * ${line}`.trimEnd().replaceAll('*/', '*\\/'))
  return ['  /**', ...text, '   */'].join('\n')
}
