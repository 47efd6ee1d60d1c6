import type { QuestionName, VerifyQuestion } from '../visit.ts'
import { address } from './address.ts'
import { answers } from './answers.ts'
import { back } from './back.ts'
import { birth } from './birth.ts'
import { code } from './code.ts'
import { country } from './country.ts'
import { document } from './document.ts'
import { front } from './front.ts'
import { name } from './name.ts'
import { number } from './number.ts'
import { phone } from './phone.ts'
import { selfie } from './selfie.ts'
import { terms } from './terms.ts'
import { waiting } from './waiting.ts'

/** All questions by their names. */
export const questions: Record<QuestionName, VerifyQuestion> = {
  terms,
  phone,
  code,
  name,
  birth,
  country,
  address,
  number,
  answers,
  document,
  front,
  back,
  selfie,
  waiting,
}
