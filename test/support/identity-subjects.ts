import type { StepState } from '../../src/server/identity-verification/step.ts'
import type { KnownUser, Subject } from '../../src/server/identity-verification/subject.ts'

/** A user of whom all is known. */
export const maren: KnownUser = {
  phone_number: '+14155550142',
  date_of_birth: '1991-07-23',
  ip_address: '192.0.2.18',
  email_address: 'maren.talvik@example.com',
  name: { given_name: 'Maren', family_name: 'Talvik' },
  address: {
    street: '18 Juniper Lane',
    street2: 'Apt 4',
    city: 'Larkspur Falls',
    region: 'OR',
    postal_code: '97031',
    country: 'US',
  },
  id_number: { value: '900123456', type: 'us_ssn' },
}
/** The same, at an address abroad. */
export const abroad: KnownUser = {
  ...maren,
  address: { ...maren.address!, region: null, postal_code: 'LF4 7QT', country: 'GB' },
}

/** An attempt of a user. */
export const subjectOf = (user: KnownUser, id = 'idv_1'): Subject => ({
  id,
  created_at: '2026-03-15T10:02:11Z',
  user,
  imageUrl: (name) => `https://pictures.example/${name}`,
  uploads: { documents: [], selfies: [] },
  evidence: {},
})

/** A step that came to this. */
export const step = (
  found: StepState['found'],
  status: StepState['status'] = found ?? 'skipped',
) => ({
  status,
  found,
  found_at: null,
})

/** Many attempts, for what a chance decides. */
export const ids = Array.from({ length: 40 }, (_, index) => `idv_${index}`)
