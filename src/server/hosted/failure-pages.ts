import { toMessage } from './message-page.ts'
import type { HostedPages, PageAnswer } from './page-request.ts'
import { inLanguages } from './texts/in-language.ts'
import type { Texts } from './texts/texts.ts'

type FailureName =
  | 'busy'
  | 'elsewhere'
  | 'failure'
  | 'foreign'
  | 'rejected'
  | 'returnUnknown'
  | 'tooLarge'
  | 'unknown'

const failures: Readonly<Record<number, FailureName>> = {
  403: 'foreign',
  404: 'unknown',
  413: 'tooLarge',
  503: 'busy',
}

const nameOf = (status: number): FailureName =>
  failures[status] ?? (status < 500 ? 'rejected' : 'failure')

/** Makes the pages that say what happened and what to do. */
export const createSay =
  (isSandbox: boolean) =>
  (status: number, texts: Texts, name: FailureName): PageAnswer =>
    toMessage(status, texts[name], { texts, isSandbox })

/** The page for a request that failed, by its status. */
export const createFailure =
  (isSandbox: boolean): HostedPages['failure'] =>
  (status, languages) =>
    createSay(isSandbox)(status, inLanguages(languages), nameOf(status))
