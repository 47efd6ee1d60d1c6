import type { Schemas } from '../../data/api.ts'
import { timeOf } from '../../data/words.ts'
import { decisionWords, wordsOf } from './words.ts'

type Found = Schemas['DashboardVerificationGetResponse']

/** Who changed an attempt after the page had loaded it, and where it stands now. */
export function tellChange(before: Found | undefined, now: Found | undefined): string {
  const since = now?.decisions.slice(before?.decisions.length ?? 0) ?? []
  const [first] = since
  const change = first
    ? `${first.email_address ?? 'The user of this machine'} decided before you: ${decisionWords(first)}, ${timeOf(first.at)}.`
    : 'The user of the attempt went on with it, or a check ended.'
  const state = now
    ? ` The status of the attempt is "${wordsOf(now.verification.status)}" now.`
    : ''
  return change + state
}
