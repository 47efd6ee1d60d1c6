// Rules of our own for `redocly lint`: what a review of the contract would otherwise say again and
// again. Each message appears with the file and line of the mistake.
import { ErrorExample, ErrorExampleNames } from './redocly-plugin/error-examples.ts'
import { OperationExtensionValues, SchemaExtensions } from './redocly-plugin/extensions.ts'
import {
  ExampleNames,
  OperationExtensions,
  OperationStatuses,
} from './redocly-plugin/operations.ts'
import { Pagination } from './redocly-plugin/pagination.ts'
import { RequestLimits } from './redocly-plugin/request-limits.ts'
import {
  EnumValues,
  PatternExplained,
  PropertyDocumented,
  RequiredDefined,
} from './redocly-plugin/schemas.ts'

export default function contractPlugin() {
  return {
    id: 'contract',
    rules: {
      oas3: {
        'request-limits': RequestLimits,
        'enum-values': EnumValues,
        'property-documented': PropertyDocumented,
        'pattern-explained': PatternExplained,
        'example-names': ExampleNames,
        'operation-statuses': OperationStatuses,
        'required-defined': RequiredDefined,
        'operation-extensions': OperationExtensions,
        'operation-extension-values': OperationExtensionValues,
        'schema-extensions': SchemaExtensions,
        'error-example': ErrorExample,
        'error-example-names': ErrorExampleNames,
        pagination: Pagination,
      },
    },
  }
}
