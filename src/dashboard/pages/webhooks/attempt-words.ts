import type { Schemas } from '../../data/api.ts'

type Attempt = Schemas['DashboardWebhookAttempt']

const missing: Record<Attempt['response'], string> = {
  stored: '',
  masked: '',
  none: 'The receiver sent no response body.',
  not_stored: 'The service did not store the response body.',
  not_shown: 'Your role does not allow the response body to be shown.',
}

/** Why the response body of an attempt is not shown. */
export const missingResponse = ({ response, status_code }: Attempt): string =>
  status_code === null ? 'The receiver did not respond.' : missing[response]

/** What a user should know about a response body that is shown. */
export function responseNote({ response, response_is_cut, response_bytes }: Attempt): string {
  const notes = [
    response === 'masked' ? 'Values are masked.' : '',
    response_is_cut ? `Only the beginning of ${response_bytes} bytes is stored.` : '',
  ]
  return notes.filter((note) => note !== '').join(' ')
}

/** What came of an attempt, in a few words. */
export function resultOf({ number, succeeded, status_code, error }: Attempt): string {
  const answer =
    status_code === null ? (error ?? 'no answer') : `the receiver answered ${status_code}`
  return `Attempt ${number} ${succeeded ? 'was delivered' : 'failed'}: ${answer}`
}
