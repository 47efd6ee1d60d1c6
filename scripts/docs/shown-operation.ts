import { type Contract, eachOperation, type OperationEntry } from '../contract/contract.ts'
import { settings } from '../contract/settings.ts'
import { examplesOf } from './example-list.ts'

/** The operation that stands for all of them, with the body of its first example. */
export function shownOperation(contract: Contract): OperationEntry & { body: unknown } {
  const { operation: name } = settings.docs
  const entry = eachOperation(contract).find(({ operation }) => operation.operationId === name)
  if (!entry) throw new Error(`there is no operation ${name}`)
  const [example] = examplesOf(contract, entry.operation.requestBody.content)
  return { ...entry, body: example?.value }
}
