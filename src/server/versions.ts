import { currentVersion, type Version, versions } from '../../generated/versions.ts'
import { ApiError } from './errors.ts'

export { currentVersion, type Version }

/** Chooses the dated version of a request: what its header names, else the client's default. */
export function selectVersion(header: string | undefined, byDefault: Version): Version {
  if (header === undefined) return byDefault
  if (Object.hasOwn(versions, header)) return header as Version
  const known = Object.keys(versions).join(', ')
  const message = `the header \`Service-Version\` must be one of: ${known}`
  throw new ApiError('INVALID_HEADERS', { message })
}

/** The operations of a dated version, with their validators. */
export const operationsOf = (version: Version) => versions[version]()
