import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import type { Addition } from './addition.ts'

/** The imports of a neighbour: what a handler needs stands where it stands for that one. */
const importsOf = (file: string): string =>
  readFileSync(join(root, file), 'utf8').split('\n\n')[0] ?? ''

const pathItem = `post:
  operationId: walletBalanceGet
  tags: [wallets]
  summary: Get the balance of a wallet
  description: >-
    Returns the balance of one e-wallet at this moment. An id that is unknown, or that belongs to
    another client, is rejected with \`INVALID_FIELD\`.
  x-retry-safe: true
  x-rate-limits:
    sandbox: { per_client: 1000 }
    production: { per_client: 1000 }
  parameters:
    - $ref: ../../components/parameters/ServiceVersion.yaml
  requestBody:
    required: true
    description: The wallet to read.
    content:
      application/json:
        schema: { $ref: ../../components/schemas/wallets/WalletBalanceGetRequest.yaml }
        examples:
          walletBalanceGetRequest: { $ref: ../../examples/wallets/walletBalanceGet.yaml#/walletBalanceGetRequest }
  responses:
    '200':
      description: The current balance.
      headers:
        Request-Id: { $ref: ../../components/headers/RequestId.yaml }
      content:
        application/json:
          schema: { $ref: ../../components/schemas/wallets/WalletBalanceGetResponse.yaml }
          examples:
            walletBalanceGetResponse: { $ref: ../../examples/wallets/walletBalanceGet.yaml#/walletBalanceGetResponse }
    '400':
      description: The request was rejected; \`error_code\` says why.
      headers:
        Request-Id: { $ref: ../../components/headers/RequestId.yaml }
      content:
        application/json:
          schema: { $ref: ../../components/schemas/shared/ErrorBody.yaml }
          examples:
            INVALID_REQUEST.INVALID_BODY.400: { $ref: ../../errors/INVALID_REQUEST.INVALID_BODY.400.yaml }
            INVALID_HEADERS: { $ref: ../../errors/INVALID_HEADERS.yaml }
            MISSING_FIELDS: { $ref: ../../errors/MISSING_FIELDS.yaml }
            UNKNOWN_FIELDS: { $ref: ../../errors/UNKNOWN_FIELDS.yaml }
            INVALID_FIELD: { $ref: ../../errors/INVALID_FIELD.yaml }
            INVALID_API_KEYS: { $ref: ../../errors/INVALID_API_KEYS.yaml }
    '401': { $ref: ../../components/responses/Unauthorized.yaml }
    '413': { $ref: ../../components/responses/BodyTooLarge.yaml }
    '429': { $ref: ../../components/responses/RateLimited.yaml }
    '500': { $ref: ../../components/responses/ServerError.yaml }
    '503': { $ref: ../../components/responses/Unavailable.yaml }
    default: { $ref: ../../components/responses/UnexpectedError.yaml }
`

const request = `type: object
description: Which wallet to read the balance of.
additionalProperties: false
required: [wallet_id]
properties:
  client_id: { $ref: ../shared/ClientId.yaml }
  secret: { $ref: ../shared/Secret.yaml }
  wallet_id:
    type: string
    description: The id of the wallet, as \`/wallet/create\` or \`/wallet/list\` returned it.
    minLength: 1
    maxLength: 128
    examples: [wallet-id-sandbox-c0495d79-d308-4655-acf7-e7a08b6681fb]
`

const response = `type: object
description: The balance of the wallet.
required: [balance, request_id]
properties:
  balance: { $ref: ./WalletBalance.yaml }
  request_id: { $ref: ../shared/RequestId.yaml }
`

const examples = `walletBalanceGetRequest:
  summary: The balance of one wallet
  value:
    wallet_id: wallet-id-sandbox-c0495d79-d308-4655-acf7-e7a08b6681fb
walletBalanceGetResponse:
  summary: A balance in GBP
  value:
    balance: { iso_currency_code: GBP, current: 3120.5, available: 2980.25 }
    request_id: o5BS1VdzWsLRz3E
`

const handler = `${importsOf('src/server/wallets/walletGet.ts')}

export const walletBalanceGet: HandlerOf<'walletBalanceGet'> = async (ctx, { body }) => {
  const { balance } = toWallet(await requireWallet(ctx, body.wallet_id), ctx.keys)
  return { balance }
}
walletBalanceGet.reads = true
`

const describe = `
describe('walletBalanceGet', () => {
  test('returns the balance that walletGet returns', async () => {
    const tenant = await service.tenant()
    const { wallet_id, balance } = await createWallet(tenant)
    const { data } = await tenant.api.walletBalanceGet({ wallet_id })
    expect(data?.balance).toEqual(balance)
  })
})
`

/** An operation that never was. */
export const operation: Addition = {
  name: 'an operation',
  files: {
    'openapi/paths/wallets/walletBalanceGet.yaml': pathItem,
    'openapi/components/schemas/wallets/WalletBalanceGetRequest.yaml': request,
    'openapi/components/schemas/wallets/WalletBalanceGetResponse.yaml': response,
    'openapi/examples/wallets/walletBalanceGet.yaml': examples,
    'src/server/wallets/walletBalanceGet.ts': handler,
  },
  insertions: [
    {
      file: 'openapi/openapi.yaml',
      below: '  /wallet/list: { $ref: ./paths/wallets/walletList.yaml }',
      text: '  /wallet/balance/get: { $ref: ./paths/wallets/walletBalanceGet.yaml }\n',
    },
    {
      file: 'test/server/wallets.test.ts',
      below: 'afterAll(() => service.close())',
      text: describe,
    },
  ],
  aim: [
    { what: 'contract files', files: /^openapi\/(paths|components\/schemas|examples)\// },
    { what: 'one line in the root', files: /^openapi\/openapi\.yaml$/, most: 1, lines: 1 },
    { what: 'one handler', files: /^src\/server\/.*\/walletBalanceGet\.ts$/, most: 1 },
    { what: 'one describe', files: /^test\/server\/.*wallets\.test\.ts$/, most: 1 },
  ],
}
