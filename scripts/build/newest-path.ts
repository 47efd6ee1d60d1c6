import { currentVersion } from '../contract/contract.ts'

const prefix = '#contract/'

/** What an import of the newest version names, as a path from the root; see `imports` of package.json. */
export const newestPath = (specifier: string): string | undefined =>
  specifier.startsWith(prefix)
    ? `generated/${currentVersion}/${specifier.slice(prefix.length)}`
    : undefined
