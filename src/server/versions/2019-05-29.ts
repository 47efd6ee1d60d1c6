import { differences } from '../../../generated/2019-05-29/differences.ts'
import type { InstitutionsSearchRequest } from '../../../generated/2019-05-29/types.ts'
import type { VersionFileOf } from './step.ts'

/** The countries may stand in the options; the public key has been looked at by then. */
function institutionsSearch({ public_key: _, options, ...rest }: InstitutionsSearchRequest) {
  const { country_codes: inOptions, ...others } = options ?? {}
  return {
    ...rest,
    ...(options ? { options: others } : {}),
    country_codes: rest.country_codes ?? inOptions ?? ['US'],
  }
}

export const file = {
  differences,
  requests: { institutionsSearch },
  responses: {},
} satisfies VersionFileOf<typeof differences>
