let countryNames: Intl.DisplayNames | undefined
// Reserved for regions and organizations, or never assigned; ISO 3166-1 has 249 others.
const noCountry = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' ')

/** Looking one up takes as long as a write; there are 676 pairs of letters. */
const knownCodes = new Map<string, boolean>()

/** Whether a text is the code of a country: two capital letters, and no older or other name for one. */
export function isCountry(code: string): boolean {
  // Whatever people send is looked up. Nothing else may fill the map.
  if (!/^[A-Z]{2}$/.test(code)) return false
  const known = knownCodes.get(code)
  if (known !== undefined) return known
  const found = findCountry(code)
  knownCodes.set(code, found)
  return found
}

function findCountry(code: string): boolean {
  // Made when it is first needed: the names take as long to load as a good part of the service.
  countryNames ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const isCurrent = new Intl.Locale('und', { region: code }).region === code
  return isCurrent && countryNames.of(code) !== undefined && !noCountry.includes(code)
}
