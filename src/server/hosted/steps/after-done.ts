import { sharedKinds } from '../../link/shared-kinds.ts'
import type { FoundAccount, Question } from '../../sources/connector.ts'
import type { Connection } from '../connection.ts'
import type { Outcome, Visit } from '../visit.ts'
import { linkAccounts } from './link-accounts.ts'
import { firstField } from './rejection.ts'

/** What follows once the user has authorized: questions about accounts, their choice, or the end. */
export async function afterDone(
  visit: Visit,
  asked: Question,
  done: NonNullable<Connection['done']>,
): Promise<Outcome> {
  const { texts } = visit
  const { question, columns } = visit.connection
  // Answers about the accounts of another file do not apply to these.
  // A user who goes back starts again at the website, since its answer is valid once.
  const isKept = question !== undefined && question.kind !== 'redirect'
  const connection: Connection = { ...(isKept ? { question, columns } : {}), done }
  const events = [['SUBMIT_CREDENTIALS', {}]] as const
  if (done.accounts === null) return linkAccounts({ ...visit, connection }, [], events)
  if (done.accounts.some((one) => lacks(one))) return { to: 'details', connection, events }
  if (choicesOf({ ...visit, connection }).length > 0) return { to: 'share', connection, events }
  return {
    errors: [{ field: firstField(asked), text: texts.rejections.noAccounts }],
    // What is staged goes with the session, or with the next file.
    connection,
    failure: { code: 'NO_ACCOUNTS', key: 'NO_ACCOUNTS' },
  }
}

/** Whether the page has to ask something about an account. */
export function lacks(account: FoundAccount): boolean {
  const { kind, lacksBalance, lacksNumber, lacksCurrency, isKnown, barrier } = account
  if (isKnown || barrier !== undefined) return false
  return kind === null || lacksBalance || lacksNumber === true || lacksCurrency === true
}

/** Whether the page has asked something about the accounts. */
export const asksDetails = ({ connection }: Pick<Visit, 'connection'>): boolean =>
  (connection.done?.accounts ?? []).some(lacks)

/** The accounts as the user has completed them. */
export const completedOf = ({ connection }: Pick<Visit, 'connection'>) =>
  (connection.done?.accounts ?? []).map((account) => {
    const answered = connection.kinds?.[account.id]
    return { ...account, ...answered, mask: account.mask ?? answered?.number?.slice(-4) ?? null }
  })

/** Those that the user can choose. */
export function choicesOf(visit: Pick<Visit, 'connection' | 'token'>) {
  const passes = sharedKinds(visit.token)
  return completedOf(visit).flatMap((account) => {
    const { kind, isKnown, barrier } = account
    if (isKnown || (kind && barrier === undefined && passes(kind))) return [account]
    return []
  })
}
