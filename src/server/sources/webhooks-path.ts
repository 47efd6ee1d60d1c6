/** Where webhooks of sources come in. */
export const sourceWebhooksPath = '/source-webhooks'
