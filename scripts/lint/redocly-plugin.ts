// Rules of our own for `redocly lint`: what a review of the contract would otherwise say again and
// again. Each message appears with the file and line of the mistake.
import { ErrorExample, ErrorExampleNames, ExampleNames } from './redocly-plugin/examples.ts'
import { extendTypes, KnownExtensions } from './redocly-plugin/extensions.ts'
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
    typeExtension: { oas3: extendTypes },
    rules: {
      oas3: {
        'request-limits': RequestLimits,
        'enum-values': EnumValues,
        'property-documented': PropertyDocumented,
        'pattern-explained': PatternExplained,
        'example-names': ExampleNames,
        'required-defined': RequiredDefined,
        'known-extensions': KnownExtensions,
        'error-example': ErrorExample,
        'error-example-names': ErrorExampleNames,
        pagination: Pagination,
      },
    },
  }
}
