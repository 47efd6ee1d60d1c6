import type { SandboxTransactionInput } from '../../../../generated/sandbox/closed.ts'
import { type AccountRow, listAccounts } from '../../items/account-store.ts'
import type { ItemRow } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError, invalidField } from '../../kernel/errors.ts'
import { toDate } from '../../kernel/time.ts'
import { announceChanges, noChanges } from '../../transactions/emit-updates.ts'
import { insertTransactions, type NewTransaction } from '../../transactions/insert-transactions.ts'
import { toPlainSpec } from '../../transactions/plain-transaction.ts'
import { firstOf, initialDays } from '../../transactions/pull.ts'
import { isReady } from '../../transactions/reading.ts'
import { selectSupported } from '../../transactions/supported-accounts.ts'

/** Adds transactions to a locked Item, sends the webhooks, and returns the ids. */
export async function createTransactions(
  ctx: Context,
  item: ItemRow,
  inputs: readonly SandboxTransactionInput[],
): Promise<string[]> {
  const accounts = await listAccounts(ctx, item.item_id)
  const supported = await selectSupported(ctx, item, accounts)
  const added = inputs.map((input, index) => {
    const account = findTarget(input, index, { accounts, supported })
    return toNewTransaction(input, account)
  })
  const ids: string[] = []
  let shown = 0
  for (const transaction of added) {
    const isVisible = isShownAtOnce(ctx, item, transaction)
    if (isVisible) shown += 1
    const options = { shown: isVisible }
    ids.push(...(await insertTransactions(ctx, item.item_id, [transaction], options)))
  }
  await announceChanges(ctx, item, { ...noChanges(), added: shown })
  return ids
}

interface Targets {
  accounts: readonly AccountRow[]
  supported: readonly AccountRow[]
}

function findTarget(
  { account_id }: SandboxTransactionInput,
  index: number,
  { accounts, supported }: Targets,
): AccountRow {
  const found = account_id
    ? supported.find((account) => account.account_id === account_id)
    : supported.find((account) => account.type === 'depository')
  if (found) return found
  if (account_id && !accounts.some((account) => account.account_id === account_id)) {
    throw new ApiError('INVALID_ACCOUNT_ID', {
      message: `\`transactions[${index}].account_id\` does not belong to the Item`,
    })
  }
  throw invalidField(
    `\`transactions[${index}].account_id\` must name an account that can have transactions`,
  )
}

function toNewTransaction(input: SandboxTransactionInput, account: AccountRow): NewTransaction {
  const { amount, description, date_posted: date, date_transacted: authorized_date } = input
  const isOwn = !input.iso_currency_code
  const transaction = toPlainSpec({
    amount,
    description,
    date,
    authorized_date,
    pending: input.pending ?? false,
    iso_currency_code: input.iso_currency_code ?? account.iso_currency_code,
    unofficial_currency_code: isOwn ? toUnofficial(account) : null,
  })
  return { account_id: account.account_id, transaction }
}

const toUnofficial = (account: AccountRow) =>
  account.unofficial_currency_code as NewTransaction['transaction']['unofficial_currency_code']

/**
 * Whether a new transaction is shown immediately. After the initial pull alone, older ones stay
 * hidden.
 */
function isShownAtOnce(ctx: Context, item: ItemRow, { transaction }: NewTransaction): boolean {
  if (item.transactions_status !== 'INITIAL_UPDATE_COMPLETE') {
    return isReady(item.transactions_status)
  }
  return transaction.date >= firstOf(toDate(ctx.now), initialDays)
}
