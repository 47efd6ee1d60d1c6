import type { Owner, OwnerEmail, OwnerPhoneNumber } from '#contract/closed.ts'
import { toSlug } from './companies.ts'
import type { Profile } from './profile.ts'
import { createRandom, type Random } from './random.ts'
import type { Country } from './towns.ts'

const firstNames = [
  'Ada',
  'Bruno',
  'Celia',
  'Dario',
  'Edda',
  'Felix',
  'Greta',
  'Hugo',
  'Imke',
  'Jonah',
  'Karin',
  'Leo',
  'Mina',
  'Nils',
  'Orla',
  'Petra',
  'Rafael',
  'Signe',
  'Theo',
  'Una',
  'Viktor',
  'Wanda',
]
const lastNames = [
  'Abernathy',
  'Brandt',
  'Castellan',
  'Dunmore',
  'Eriksen',
  'Farrow',
  'Grantham',
  'Hollis',
  'Ishikawa',
  'Jessup',
  'Kowal',
  'Lindgren',
  'Marchetti',
  'Norwood',
  'Okafor',
  'Prewitt',
  'Quist',
  'Rosales',
  'Sandoval',
  'Tamm',
  'Underhill',
  'Varga',
  'Whitlock',
]

export const pickName = (random: Random): string =>
  `${random.pick(firstNames)} ${random.pick(lastNames)}`

/** Phone numbers that are reserved for fiction, so no subscriber has them. */
const phoneNumber: Record<Country, (random: Random) => string> = {
  US: (random) => `+1${random.integer(2, 9)}${random.digits(2)}55501${random.digits(2)}`,
  CA: (random) => `+1${random.pick(['250', '416', '902'])}55501${random.digits(2)}`,
  GB: (random) => `+447700900${random.digits(3)}`,
}

const toEmail = (name: string): string => `${toSlug(name).replaceAll('-', '.')}@example.com`

/** The holder as a bank has it on file, with all fields of identity. */
export function createOwners(profile: Profile, name?: string): { alone: Owner[]; joint: Owner[] } {
  const random = createRandom(`${profile.seed}/owner`)
  const drawn = pickName(random)
  const holder = name ?? drawn
  const partner = `${random.pick(firstNames)} ${holder.split(' ').at(-1)}`
  const owner: Owner = {
    names: [holder],
    phone_numbers: phonesOf(profile.country, random),
    emails: emailsOf(holder, random),
    addresses: [{ data: { ...profile.home }, primary: true }],
  }
  const names = random.chance(0.5) && partner !== holder ? [holder, partner] : [holder]
  return { alone: [owner], joint: [{ ...owner, names }] }
}

function phonesOf(country: Country, random: Random): OwnerPhoneNumber[] {
  const mobile: OwnerPhoneNumber = {
    data: phoneNumber[country](random),
    primary: true,
    type: 'mobile',
  }
  const home: OwnerPhoneNumber = {
    data: phoneNumber[country](random),
    primary: false,
    type: 'home',
  }
  return random.chance(0.4) ? [mobile, home] : [mobile]
}

function emailsOf(name: string, random: Random): OwnerEmail[] {
  const first: OwnerEmail = { data: toEmail(name), primary: true, type: 'primary' }
  const second: OwnerEmail = { data: toEmail(`${name} home`), primary: false, type: 'secondary' }
  return random.chance(0.5) ? [first, second] : [first]
}
