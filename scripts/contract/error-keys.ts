import { type Contract, type OperationObject, resolve } from './contract.ts'

/** The keys of the catalogue that an operation or webhook lists, by status; `default` is one too. */
export function errorsOf(
  contract: Contract,
  { responses }: Pick<OperationObject, 'responses'>,
): [status: string, keys: string[]][] {
  return Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, response]) => {
      const { content } = resolve(contract, response)
      return [status, Object.keys(content?.['application/json']?.examples ?? {})]
    })
}

/** The same without `default`, which lists errors of all operations. */
export const numberedErrorsOf: typeof errorsOf = (contract, operation) =>
  errorsOf(contract, operation).filter(([status]) => status !== 'default')
