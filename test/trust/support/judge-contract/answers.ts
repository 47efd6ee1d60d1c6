const onlyWrong =
  'stands in answers alone: only an answer that breaks it could show it, and none does'
const gap = 'a gap: no request of the tests'

/** Why nothing notices a change, by its name: each survivor that was looked at. */
export const answers: Readonly<Record<string, string>> = {
  '2020-09-14 TransactionsGetOptions/properties/include_personal_finance_category: default dropped (true)':
    'the field has no effect, and so has its default',
  '2020-09-14 components/headers/RetryAfter/schema: limit loosened (minimum)': onlyWrong,
  '2020-09-14 IdentityVerificationAddressInput/allOf/5/then/properties/region: null allowed (string)': `${gap} has a null region beside a street in the United States`,
  '2020-09-14 IdentityVerificationAddressInput/allOf/2/then/properties/street: null allowed (string)': `${gap} has a second line beside a null street`,
  '2020-09-14 IdentityVerificationAddressInput/properties/postal_code: limit tightened (maxLength)': `${gap} has a postal code with a separator after each of ten letters`,
  '2020-09-14 IdentityVerificationAddressInput/allOf/4/then: code dropped (INVALID_FIELD)':
    'the whole schema gives the same code',
  '2020-09-14 IdentityVerificationAddress/properties/postal_code: pattern dropped (^[A-Za-z0-9](?:[ -]?[A-Za-z0-9]){1,9}$)':
    onlyWrong,
  '2019-05-29 InstitutionsSearchRequest/properties/public_key: limit tightened (maxLength)': `${gap} has a public key of 30 digits`,
  '2020-09-14 ProtectTrustIndex/properties/score: limit dropped (minimum)': onlyWrong,
  '2020-09-14 RiskCheckEmail/properties/breach_count: limit dropped (minimum)': onlyWrong,
  '2020-09-14 TransferId: format dropped (uuid)': `${gap} names a transfer by what is no UUID and expects its form to be refused`,
  '2020-09-14 IdentityCreationResult: required dropped (error_type)': onlyWrong,
  '2020-09-14 TransferFailureReason: required dropped (description)': onlyWrong,
  '2020-09-14 paths//transactions/get/post/responses/429: header dropped (Request-Id)':
    'the few tests that a quick run listens to never reach that limit; the others do',
  '2018-05-22 : security dropped (0)':
    'a gap: the facts of the older versions state no way to authenticate',
}
