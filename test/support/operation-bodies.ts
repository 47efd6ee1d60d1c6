import {
  type Contract,
  type OperationObject,
  requestSchema,
  responseSchema,
} from '../../scripts/contract/contract.ts'
import { expand, expandAnswer, type Facts, type Fields, type OperationFacts } from './facts.ts'
import { type ContractField, fieldsOf } from './field-view.ts'

/** A body as the facts state it and as the contract has it. */
export interface Body {
  facts: Fields
  found: Map<string, ContractField>
}

/** The request and the answer of an operation. */
export function bodiesOf(
  contract: Contract,
  stated: Facts,
  own: OperationFacts,
  operation: OperationObject,
): { request: Body; response: Body } {
  return {
    request: {
      facts: expand(stated, own.request),
      found: fieldsOf(contract, requestSchema(operation)),
    },
    response: {
      facts: expandAnswer(stated, own.response),
      found: fieldsOf(contract, responseSchema(contract, operation)),
    },
  }
}
