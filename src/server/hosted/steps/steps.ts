import type { StepName } from '../step-order.ts'
import type { Step } from '../visit.ts'
import { accounts } from './accounts.ts'
import { adding } from './adding.ts'
import { code } from './code.ts'
import { connect } from './connect.ts'
import { consent } from './consent.ts'
import { details } from './details.ts'
import { institution } from './institution.ts'
import { loginOrWebsite } from './login-or-website.ts'
import { share } from './share.ts'

/** The question of each step. */
export const steps: Record<StepName, Step> = {
  consent,
  institution,
  login: loginOrWebsite,
  code,
  accounts,
  connect,
  details,
  share,
  adding,
}
