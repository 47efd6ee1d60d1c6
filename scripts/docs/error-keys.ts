import { type Contract, type OperationObject, resolve } from '../contract/contract.ts'

/** The keys of the catalogue that an operation or webhook lists for each status. */
export function errorsOf(
  contract: Contract,
  operation: Pick<OperationObject, 'responses'>,
): [status: string, keys: string[]][] {
  return Object.entries(operation.responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, response]) => {
      const { content } = resolve(contract, response)
      return [status, Object.keys(content?.['application/json']?.examples ?? {})]
    })
}
