import type { Addition } from './addition.ts'

const webhookItem = `post:
  tags: [items]
  summary: Identity refreshed
  description: >-
    Sent to the Item's \`webhook\` after each \`/identity/refresh\`, whether or not it found changes.
    Answer within 10 seconds; it is sent until you answer 2xx, at most 7 attempts within 24 hours.
    It can arrive twice or out of order.
  security: []
  parameters:
    - $ref: ../../components/parameters/ServiceVerification.yaml
  requestBody:
    required: true
    description: The Item that was refreshed. JSON, indented by two spaces.
    content:
      application/json:
        schema: { $ref: ../../components/schemas/items/IdentityRefreshedWebhook.yaml }
        examples:
          identityRefreshedWebhook: { $ref: ../../examples/items/webhooks.yaml#/identityRefreshedWebhook }
  responses:
    '200':
      description: Received. Any 2xx counts; the body of your answer is not read.
`

const schema = `type: object
description: The identity data of an Item was refreshed.
required: [webhook_type, webhook_code, item_id, error, environment]
properties:
  webhook_type:
    type: string
    description: What the webhook is about. Route by it together with \`webhook_code\`.
    enum: [IDENTITY]
    examples: [IDENTITY]
  webhook_code:
    type: string
    description: The identity data was refreshed; read it with \`/identity/get\`.
    enum: [REFRESHED]
    examples: [REFRESHED]
  item_id: { $ref: ./ItemId.yaml }
  error:
    description: What is wrong with the Item, or null when it is well.
    anyOf:
      - $ref: ../shared/WebhookError.yaml
      - type: 'null'
    examples: [null]
  environment: { $ref: ../shared/Environment.yaml }
`

const example = `identityRefreshedWebhook:
  summary: Identity data was refreshed
  description: A refresh of the Item ended without finding changes.
  value:
    webhook_type: IDENTITY
    webhook_code: REFRESHED
    item_id: 5eEvj67hPLEmwFi8wtQ9KbQ4FkzAuGsTP6kLX
    error: null
    environment: sandbox
`

/** A webhook that never was. */
export const webhook: Addition = {
  name: 'a webhook',
  files: {
    'openapi/webhooks/items/REFRESHED.yaml': webhookItem,
    'openapi/components/schemas/items/IdentityRefreshedWebhook.yaml': schema,
  },
  insertions: [
    {
      file: 'openapi/openapi.yaml',
      below: '  IDENTITY.DEFAULT_UPDATE: { $ref: ./webhooks/items/DEFAULT_UPDATE.yaml }',
      text: '  IDENTITY.REFRESHED: { $ref: ./webhooks/items/REFRESHED.yaml }\n',
    },
    {
      file: 'openapi/examples/items/webhooks.yaml',
      below: `      1zLUKmBjP5j8e5oKEctSYN2HD2WpQstG1eBhR: [PHONES]
    error: null
    environment: sandbox`,
      text: example,
    },
    {
      file: 'src/server/items/identityRefresh.ts',
      below:
        "    await ctx.emit('IDENTITY.DEFAULT_UPDATE', fields, { url: item.webhook, item_id })\n  }",
      text: "  await ctx.emit('IDENTITY.REFRESHED', { item_id, error: null }, { url: item.webhook, item_id })\n",
    },
  ],
  aim: [
    { what: 'contract files', files: /^openapi\/(webhooks|components\/schemas|examples)\// },
    { what: 'one line in the root', files: /^openapi\/openapi\.yaml$/, most: 1, lines: 1 },
    { what: 'the line that emits it', files: /^src\/server\//, most: 1, lines: 1 },
  ],
}
