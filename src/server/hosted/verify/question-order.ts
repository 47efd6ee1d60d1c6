import { hasBack } from '../../identity-verification/evidence.ts'
import { asksOf, type KycQuestion, numberTypes } from '../../identity-verification/kyc-questions.ts'
import {
  currentStep,
  type StepName,
  type Steps,
  stepNames,
} from '../../identity-verification/step.ts'
import type { PersonDraft } from './drafts.ts'
import type { QuestionName, Visit } from './visit.ts'

type Known = Pick<Visit, 'steps' | 'user' | 'evidence' | 'drafts'>

/** The questions of the current step that are open, the furthest one last. */
export function openQuestions(known: Known): readonly QuestionName[] {
  const step = currentStep(known.steps)
  if (step === undefined || known.evidence.waiting?.step === step) return ['waiting']
  return byStep[step](known)
}

const byStep: Readonly<Record<StepName, (known: Known) => readonly QuestionName[]>> = {
  accept_tos: () => ['terms'],
  verify_sms: ({ evidence }) => (evidence.sms?.code ? ['phone', 'code'] : ['phone']),
  kyc_check: openOfPerson,
  documentary_verification: ({ drafts: { document } }) => {
    if (document === undefined) return ['document']
    const isOnBack = document.hasFront && hasBack(document.category)
    return isOnBack ? ['document', 'front', 'back'] : ['document', 'front']
  },
  selfie_check: () => ['selfie'],
  watchlist_screening: () => ['waiting'],
  risk_check: () => ['waiting'],
}

function openOfPerson(known: Known): readonly QuestionName[] {
  const asked = askedQuestions(known)
  const { person = {} } = known.drafts
  const first = asked.findIndex((question) => !isAnswered(person, question))
  return first < 0 ? [...asked, 'answers'] : asked.slice(0, first + 1)
}

/** What the person is asked about themselves. */
export function askedQuestions({ user, drafts }: Pick<Known, 'user' | 'drafts'>): KycQuestion[] {
  const country = drafts.person?.country
  const asked = asksOf(user)
  const hasNumber = country === undefined || numberTypes(country).length > 0
  return hasNumber ? asked : asked.filter((question) => question !== 'number')
}

const columns = {
  name: 'name',
  birth: 'date_of_birth',
  country: 'country',
  address: 'address',
  number: 'id_number',
} as const satisfies Record<KycQuestion, keyof PersonDraft>

const isAnswered = (person: PersonDraft, question: KycQuestion): boolean =>
  person[columns[question]] !== undefined

/** The question that the attempt is at. */
export const currentQuestion = (known: Known): QuestionName =>
  openQuestions(known).at(-1) ?? 'waiting'

/** The number of the current step among those that concern the person, and how many there are. */
export function progressOf(steps: Steps): { step: number; count: number } {
  const shown = stepNames.filter(
    (name) => !['not_applicable', 'skipped'].includes(steps[name].status),
  )
  const current = currentStep(steps)
  return { step: current ? shown.indexOf(current) + 1 : shown.length, count: shown.length }
}
