import { child, childrenOf, type Element, textAt } from './elements.ts'
import type { SourceOwner } from './statement.ts'
import { plainText, withValues } from './values.ts'

/** The owner of an account: `Ownr`, a party with its name, address and contacts. */
export function toOwner(party: Element | undefined): SourceOwner | undefined {
  const contacts = child(party, 'CtctDtls')
  const name = plainText(textAt(party, 'Nm') ?? textAt(contacts, 'Nm'))
  if (name === '') return undefined
  const address = toAddress(child(party, 'PstlAdr'))
  const phones = { phone: textAt(contacts, 'PhneNb'), mobile: textAt(contacts, 'MobNb') }
  return {
    name,
    ...(address ? { address } : {}),
    ...withValues({ ...phones, email: textAt(contacts, 'EmailAdr') }),
  }
}

/** The parts of an address; lines without parts are its street. */
function toAddress(address: Element | undefined): SourceOwner['address'] {
  const written = plainText(textAt(address, 'StrtNm'), textAt(address, 'BldgNb'))
  const lines = childrenOf(address, 'AdrLine').map(({ text }) => plainText(text))
  const street = [written, ...lines].filter((line) => line !== '').join(', ')
  return withValues({
    street: street || textAt(address, 'PstBx'),
    city: textAt(address, 'TwnNm'),
    region: textAt(address, 'CtrySubDvsn'),
    postal_code: textAt(address, 'PstCd'),
    country: textAt(address, 'Ctry'),
  })
}
