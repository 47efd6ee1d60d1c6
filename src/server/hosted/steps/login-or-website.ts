import { websiteOf } from '../asking.ts'
import type { Step, Visit } from '../visit.ts'
import { connect } from './connect.ts'
import { login } from './login.ts'

const stepOf = (visit: Visit): Step => (websiteOf(visit) ? connect : login)

/** Asks for the login of the sandbox, or sends the user to the invented website of an institution. */
export const loginOrWebsite: Step = {
  view: (visit, rejected) => stepOf(visit).view(visit, rejected),
  repeats: (visit) => stepOf(visit).repeats?.(visit) ?? (() => false),
  answer: (visit, form) => stepOf(visit).answer(visit, form),
}
