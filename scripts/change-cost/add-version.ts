import { currentVersion } from '../contract/contract.ts'
import type { Addition } from './addition.ts'

const invented = '2099-01-31'
const schemas = '$.components.schemas'

const overlay = `overlay: 1.0.0
info:
  title: What version ${currentVersion} has differently from ${invented}
  version: 1.0.0
actions:
  # A field of another name: the difference is derived.
  - target: ${schemas}.WalletBalanceGetRequest.properties.wallet_id
    remove: true
  - target: ${schemas}.WalletBalanceGetRequest.required[?@ == 'wallet_id']
    remove: true
  - target: ${schemas}.WalletBalanceGetRequest
    update:
      required: [wallet]
      properties:
        wallet:
          type: string
          description: The id of the wallet, as \`/wallet/create\` or \`/wallet/list\` returned it.
          minLength: 1
          maxLength: 128
          examples: [wallet-id-sandbox-c0495d79-d308-4655-acf7-e7a08b6681fb]
  - target: $.components.examples.walletBalanceGetRequest
    update:
      value: { wallet: wallet-id-sandbox-c0495d79-d308-4655-acf7-e7a08b6681fb }
  - target: $.components.examples.walletBalanceGetRequest.value.wallet_id
    remove: true
  # A field that a function makes.
  - target: ${schemas}.WalletBalanceGetResponse
    update:
      required: [pending]
      properties:
        pending:
          type: number
          description: The debits that are pending, in units of the wallet's currency.
          examples: [140.25]
  - target: $.components.examples.walletBalanceGetResponse
    update:
      value: { pending: 140.25 }
`

const functions = `import { differences } from '../../../generated/${currentVersion}/differences.ts'
import type { WalletBalanceGetResponse } from '../../../generated/${invented}/types.ts'
import type { VersionFileOf } from './step.ts'

/** What was pending stood beside the balance. */
function walletBalanceGet(answer: WalletBalanceGetResponse) {
  const { current, available } = answer.balance
  return { ...answer, pending: Math.round((current - available) * 100) / 100 }
}

export const file = {
  differences,
  requests: {},
  responses: { walletBalanceGet },
} satisfies VersionFileOf<typeof differences>
`

/** A newest date that never was. */
export const version: Addition = {
  name: 'a newest date',
  files: {
    [`openapi/versions/${currentVersion}.overlay.yaml`]: overlay,
    [`src/server/versions/${currentVersion}.ts`]: functions,
  },
  insertions: [],
  replacements: [
    {
      file: 'openapi/openapi.yaml',
      from: `  x-api-version: '${currentVersion}'`,
      to: `  x-api-version: '${invented}'`,
    },
  ],
  aim: [
    { what: 'one overlay', files: /^openapi\/versions\/[\d-]+\.overlay\.yaml$/, most: 1 },
    { what: 'one file of functions', files: /^src\/server\/.*\/[\d-]+\.ts$/, most: 1 },
    { what: 'one line in the root', files: /^openapi\/openapi\.yaml$/, most: 1, lines: 1 },
  ],
}
