// An IBAN, also in groups of four.
const iban =
  /(?<![a-z0-9])[a-z]{2}\d{2}(?:[ _-]?[a-z0-9]{4}){2,7}(?:[ _-]?[a-z0-9]{1,3})?(?![a-z0-9])/gi
const digits = /\d{6,}/g

/** The name of a file without what may be the number of an account. */
export const maskFileName = (name: string): string =>
  name.replace(iban, '***').replace(digits, '***')
