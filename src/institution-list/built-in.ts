import type { ListedInstitution } from './listed-institution.ts'

/** The institution of files whose bank is not on the list. */
export const fileInstitutionId = 'ins_100000'

/** The institution of users who have an account at SimpleFIN. */
export const simplefinInstitutionId = 'ins_100001'

/** What is listed without a file, in every country that the contract knows. */
export const builtInInstitutions: readonly Omit<ListedInstitution, 'country_codes'>[] = [
  {
    institution_id: fileInstitutionId,
    name: 'A file from my bank',
    products: ['assets', 'transactions'],
    connector: 'file',
    settings: {},
  },
  {
    institution_id: simplefinInstitutionId,
    name: 'SimpleFIN',
    products: ['assets', 'transactions'],
    connector: 'simplefin',
    settings: { hosts: ['bridge.simplefin.org', 'beta-bridge.simplefin.org'] },
  },
]
