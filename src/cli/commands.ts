import { type Command, program } from './command.ts'

/** The commands by name. Each is loaded when it is called, the service most of all. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => ({
    node: 24,
    run: async (args) => (await import('../server/serve.ts')).serve(args, `${program} serve`),
  }),
  mock: async () => ({
    node: 24,
    run: async (args) => (await import('../mock/serve-mock.ts')).serveMock(args, `${program} mock`),
  }),
  client: async () => (await import('./client.ts')).client,
  categories: async () => (await import('./categories.ts')).categories,
  import: async () => (await import('./import.ts')).importCommand,
  institutions: async () => (await import('./institutions.ts')).institutions,
  item: async () => (await import('./item.ts')).item,
  webhook: async () => (await import('./webhook.ts')).webhook,
  'webhook-key': async () => (await import('./webhook.ts')).webhookKey,
  dashboard: async () => (await import('./dashboard.ts')).dashboard,
  audit: async () => (await import('./audit.ts')).audit,
  backup: async () => (await import('./backup.ts')).backupCommand,
  jobs: async () => (await import('./jobs.ts')).jobsCommand,
  statement: async () => (await import('./statement.ts')).statement,
  validate: async () => (await import('./validate.ts')).validate,
  'verify-webhook': async () => (await import('./verify-webhook.ts')).verifyWebhookCommand,
}

export const overview = `usage: ${program} COMMAND [options]

  serve            run the service with its data on this machine (Node 24)
  mock             answer every operation with the contract's examples (Node 24)
  client           create clients, rotate their secrets (Node 24)
  categories       check a file of categories
  import           import a bank's files into an Item (Node 24)
  institutions     check a file of institutions
  item             list, refresh and remove Items (Node 24)
  webhook          list webhooks, and send them again (Node 24)
  webhook-key      rotate the key that signs webhooks (Node 24)
  dashboard        create users of the dashboard, and links to sign in (Node 24)
  audit            print who changed what (Node 24)
  backup           copy the data of a folder, while a service runs on it (Node 24)
  jobs             list jobs that are not tried again, and run them again (Node 24)
  statement        print what is in a bank's file (OFX, CAMT, MT940, CSV)
  validate         check a JSON body against the contract
  verify-webhook   check the signature of a webhook

  COMMAND --help   the options of a command, with examples
  --version        print the version of this package

exit code: 0 done or valid, 1 not valid or not started, 2 wrong usage

examples:
  ${program} serve --memory
  ${program} validate transactionsSync request.json`
