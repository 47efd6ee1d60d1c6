import { type Contract, type Example, type OperationObject, resolve } from './contract.ts'

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

/** The codes that an operation lists, by status, each once. */
export function codesByStatus(
  contract: Contract,
  operation: OperationObject,
): Record<string, string[]> {
  const listed = numberedErrorsOf(contract, operation).map(([status, keys]): [string, string[]] => {
    const codes = keys.map((key) => codeOf(contract.components.examples[key]!))
    return [status, [...new Set(codes)]]
  })
  return Object.fromEntries(listed)
}

/** Errors of OAuth have another form. */
export function codeOf({ value }: Example): string {
  const body = value as { error_code?: string; error?: string }
  return (body.error_code ?? body.error)!
}
