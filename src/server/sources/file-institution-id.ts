/** The institution of files whose bank is not on the list. */
export const fileInstitutionId = 'ins_100000'
