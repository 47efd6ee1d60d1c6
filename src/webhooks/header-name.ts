import type { headerNames } from '#contract/operations.ts'

// Its type says so too, so a contract with another name does not compile; the table stays away.
export const headerName: (typeof headerNames)['signature'] = 'Service-Verification'
