// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are sources.

/** One text of a source file in the place of another. */
export interface Edit {
  file: string
  /** Stands in the file exactly once, or the list has gone stale. */
  from: string
  to: string
}

/** A mistake that somebody could make. */
export interface Bug extends Edit {
  name: string
  /** Takes some thousand requests, where others take some hundred. */
  isRare?: boolean
  /** Ends the process, or makes it fall silent; with any other, that would be no find. */
  ends?: boolean
  also?: readonly Edit[]
}

const anyones = "client_id is not null and $1 <> ''"

/** One at a time; each compiles and starts, and most calls are still answered well. */
export const bugs: readonly Bug[] = [
  {
    name: 'wallets are found whosever they are',
    isRare: true,
    file: 'src/server/wallets/store.ts',
    from: '`select ${columns} from wallets where client_id = $1 and wallet_id = $2`',
    to: `\`select \${columns} from wallets where ${anyones} and wallet_id = $2\``,
  },
  {
    name: 'the list of wallets holds everybody’s',
    file: 'src/server/wallets/store.ts',
    from: 'from wallets where client_id = $1 and sequence < $2',
    to: `from wallets where ${anyones} and sequence < $2`,
  },
  {
    name: 'an access token opens the Item of another client',
    file: 'src/server/items/store.ts',
    from: 'from items where client_id = $1 and access_token_hash = $2',
    to: `from items where ${anyones} and access_token_hash = $2`,
  },
  {
    name: 'users are found whosever they are',
    isRare: true,
    file: 'src/server/users/store.ts',
    from: 'from users where client_id = $1 and ${column} = $2',
    to: `from users where ${anyones} and \${column} = $2`,
  },
  {
    name: 'transfers are found whosever they are',
    isRare: true,
    file: 'src/server/transfers/store.ts',
    from: 'from transfers where client_id = $1 and ${column} = $2',
    to: `from transfers where ${anyones} and \${column} = $2`,
  },
  {
    name: 'what a user is looked up by stands in the statement',
    isRare: true,
    file: 'src/server/users/store.ts',
    from: 'from users where client_id = $1 and ${column} = $2',
    to: "from users where client_id = $1 and ${column} = $2 and '${value}' <> ''",
  },
  {
    name: 'the last wallet of a page begins the next',
    isRare: true,
    file: 'src/server/wallets/store.ts',
    from: 'where client_id = $1 and sequence < $2',
    to: 'where client_id = $1 and sequence <= $2',
  },
  {
    name: 'a page of transactions begins one too late',
    isRare: true,
    file: 'src/server/transactions/transactionsGet.ts',
    from: 'offset: offset ?? firstPage.offset }',
    to: 'offset: offset ? offset + 1 : firstPage.offset }',
  },
  {
    name: 'a page of sync skips a change',
    isRare: true,
    file: 'src/server/transactions/transactionsSync.ts',
    from: 'page: { after: last, high: head }',
    to: 'page: { after: last + 1, high: head }',
  },
  {
    name: 'a wallet shows its row',
    file: 'src/server/wallets/wallet.ts',
    from: '  wallet_id: row.wallet_id,\n  balance: {',
    to: '  ...row,\n  wallet_id: row.wallet_id,\n  balance: {',
  },
  {
    name: 'a report opens without the scope',
    file: 'src/server/asset-reports/assetReportGet.ts',
    from: "!bearer?.user || !bearer.scopes.includes('user:read')",
    to: '!bearer?.user',
  },
  {
    name: 'a refreshed token gets the scopes that it asks for',
    file: 'src/server/tokens/grant-types.ts',
    from: 'chooseScopes(body.scope, held)',
    to: 'chooseScopes(body.scope, scopesOf(ctx.client, ctx.settings))',
  },
  {
    name: 'tokens never end',
    file: 'src/server/tokens/token.ts',
    from: 'token.revoked_at === null && ownNow < token.expires_at && isParty',
    to: 'token.revoked_at === null && ownNow > 0 && isParty',
  },
  {
    name: 'a revoked token stays good',
    file: 'src/server/tokens/token.ts',
    from: 'token.revoked_at === null && ownNow',
    to: 'ownNow',
  },
  {
    name: 'what came from a revoked token stays good',
    file: 'src/server/tokens/store.ts',
    from: 'on t.parent_id = f.token_id',
    to: "on t.parent_id = f.token_id and t.kind = 'none'",
  },
  {
    name: 'another client refreshes a token',
    file: 'src/server/tokens/token.ts',
    from: '< token.expires_at && isParty(token, client.client_id)',
    to: '< token.expires_at',
  },
  {
    name: 'links to pictures never end',
    file: 'src/server/identity-verification/identity-verification-image.ts',
    from: '>= link.expires) return undefined',
    to: '>= link.expires + 1e12) return undefined',
  },
  {
    name: 'upper bounds are not held',
    file: 'src/server/pipeline/check-fields.ts',
    from: 'const [first] = found',
    to: "if (issues.every(({ message }) => message.startsWith('must be at most'))) return\n  const [first] = found",
  },
  {
    name: 'an unknown bearer token gets 403',
    file: 'src/server/kernel/errors.ts',
    from: 'this.status = errorCatalogue[key].status',
    to: 'this.status = errorCatalogue[key].status === 401 ? 403 : errorCatalogue[key].status',
  },
  {
    name: 'an unknown wallet gets the code of a missing field',
    isRare: true,
    file: 'src/server/pipeline/check-fields.ts',
    from: "const stages = ['UNKNOWN_FIELDS', 'MISSING_FIELDS', 'INVALID_FIELD']",
    to: "const stages = ['UNKNOWN_FIELDS', 'INVALID_FIELD', 'MISSING_FIELDS']",
  },
  {
    name: 'a wrong secret gets a code that no operation lists',
    file: 'src/server/pipeline/check-caller.ts',
    from: "'oauth.invalid_client' : 'INVALID_API_KEYS'",
    to: "'oauth.invalid_client' : 'NOT_FOUND'",
  },
  {
    name: 'bodies may have any number of levels',
    file: 'src/scan-json.ts',
    from: "if (level === maximumLevels) return 'levels'",
    to: "if (level === -1e9) return 'levels'",
  },
  {
    name: 'the fields of a body are copied into another object',
    file: 'src/server/pipeline/parse-body.ts',
    from: '  return value as Body\n}',
    to: `  const copy: Body = {}
  const merge = (to: Body, from: object): void => {
    for (const [name, member] of Object.entries(from)) {
      const inner = to[name]
      if (member && typeof member === 'object' && inner && typeof inner === 'object') {
        merge(inner as Body, member)
      } else to[name] = member
    }
  }
  merge(copy, value)
  return copy
}`,
  },
  {
    name: 'the process ends by U+0000',
    ends: true,
    file: 'src/server/pipeline/parse-body.ts',
    from: "value.isWellFormed() && !value.includes('\\0')",
    to: "value.isWellFormed() && (!value.includes('\\0') || setImmediate(() => process.abort()) !== null)",
  },
  {
    name: 'an answer in an older version is that of the newest',
    file: 'src/server/pipeline/pipeline.ts',
    from: 'isCurrent(checked.version) ? answer :',
    to: "isCurrent(checked.version) || checked.operationId === 'identityGet' ? answer :",
  },
  {
    name: 'money is counted in fractions',
    // Not in `toAmount`, which also checks the seed data: no service would start.
    file: 'src/server/items/account.ts',
    from: 'current: toAmount(row.current)',
    to: 'current: row.current * 0.01',
  },
  {
    name: 'a secret stands in the log',
    file: 'src/server/pipeline/check-caller.ts',
    from: '      auth.client = client\n    },\n    async authenticatePublicKey',
    to: "      auth.client = client\n      service.log.info({ clientId, secret: credentials.secret }, 'let in')\n    },\n    async authenticatePublicKey",
  },
  {
    name: 'a refusal repeats the token',
    file: 'src/server/items/store.ts',
    from: 'const message = describeUnknown(',
    to: 'const message = `${accessToken} is unknown` || describeUnknown(',
  },
  {
    name: 'null options are a failure of the service',
    file: 'src/server/transfers/transferGet.ts',
    from: 'const originator = body.originator_client_id ?? null',
    to: 'const originator = body.originator_client_id === undefined ? null : body.originator_client_id.trim()',
  },
  {
    name: 'a cursor is good for every Item',
    file: 'src/server/transactions/cursor.ts',
    from: "JSON.stringify(['sync cursor', stream.item_id, stream.account_id, content])",
    to: "JSON.stringify(['sync cursor', stream.account_id, content])",
  },
  {
    name: 'a fault happens to every client',
    isRare: true,
    file: 'src/server/sandbox/world/store.ts',
    from: 'where client_id = $1 and operation_id = $2\n        and (access',
    to: `where ${anyones} and operation_id = $2\n        and (access`,
  },
  {
    name: 'a fault happens once too often',
    file: 'src/server/sandbox/world/store.ts',
    from: 'if (row.times > 1)',
    to: 'if (row.times > 0)',
  },
  {
    name: 'a webhook is written twice',
    file: 'src/server/pipeline/create-context.ts',
    from: '      await insertDelivery(ctx, {',
    to: '      await insertDelivery(ctx, { ...target, url: target.url, webhook_type, webhook_code, body })\n      await insertDelivery(ctx, {',
  },
  {
    name: 'a refused call keeps what it wrote',
    isRare: true,
    file: 'src/server/db/sqlite-batch.ts',
    from: "    transactions.exec('rollback to task')\n",
    to: '',
    // The handlers of this service check before they write, so one that does not goes with it.
    also: [
      {
        file: 'src/server/sandbox/transactions/sandboxTransactionsRemove.ts',
        from: "id, 'transaction_ids'))\n",
        to: "id, 'transaction_ids'))\n    await removeTransaction(ctx, item.item_id, rows.at(-1) as TransactionRow)\n",
      },
    ],
  },
  {
    name: 'a public token is exchanged again and again',
    file: 'src/server/link/store.ts',
    from: '`delete from public_tokens where client_id = $1 and token_hash = $2',
    to: '`update public_tokens set item_id = item_id where client_id = $1 and token_hash = $2',
  },
  {
    name: 'refunds may exceed the transfer',
    file: 'src/server/transfers/refund.ts',
    from: 'refunded + amount > transfer.amount',
    to: 'amount > transfer.amount',
  },
  {
    name: 'a removed Item answers',
    file: 'src/server/items/store.ts',
    from: "  if (item.removed_at !== null) throw new ApiError('ITEM_NOT_FOUND')\n",
    to: '',
  },
  {
    name: 'keys of webhooks are found whosever they are',
    file: 'src/server/webhooks/key-store.ts',
    from: 'where client_id = $1 and key_id = $2',
    to: `where ${anyones} and key_id = $2`,
  },
]
