import { type Command, program } from './command.ts'

/** The commands by name. Each is loaded when it is called, the service most of all. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => ({
    help: (await import('../server/config/options.ts')).usage(`${program} serve`),
    node: 24,
    run: async (args) => (await import('../server/serve.ts')).serve(args, `${program} serve`),
  }),
  mock: async () => ({
    help: (await import('../mock/usage.ts')).usage(`${program} mock`),
    node: 24,
    run: async (args) => (await import('../mock/serve-mock.ts')).serveMock(args, `${program} mock`),
  }),
  client: async () => (await import('./client.ts')).client,
  categories: async () => (await import('./categories.ts')).categories,
  export: async () => (await import('./export.ts')).exportCommand,
  import: async () => (await import('./import.ts')).importCommand,
  institutions: async () => (await import('./institutions.ts')).institutions,
  item: async () => (await import('./item.ts')).item,
  webhook: async () => (await import('./webhook.ts')).webhook,
  'webhook-key': async () => (await import('./webhook.ts')).webhookKey,
  dashboard: async () => (await import('./dashboard.ts')).dashboard,
  audit: async () => (await import('./audit.ts')).audit,
  backup: async () => (await import('./backup.ts')).backupCommand,
  jobs: async () => (await import('./jobs.ts')).jobsCommand,
  simplefin: async () => (await import('./simplefin.ts')).simplefin,
  template: async () => (await import('./template.ts')).template,
  statement: async () => (await import('./statement.ts')).statement,
  login: async () => (await import('./login.ts')).login,
  logout: async () => (await import('./login.ts')).logout,
  listen: async () => (await import('./listen.ts')).listen,
  trigger: async () => (await import('./trigger.ts')).trigger,
  logs: async () => (await import('./logs.ts')).logs,
  events: async () => (await import('./events.ts')).events,
  open: async () => (await import('./open.ts')).open,
  completion: async () => (await import('./completion.ts')).completion,
  conform: async () => (await import('./conform.ts')).conform,
  proxy: async () => (await import('./proxy.ts')).proxy,
  validate: async () => (await import('./validate.ts')).validate,
  'verify-webhook': async () => (await import('./verify-webhook.ts')).verifyWebhookCommand,
}

export const overview = `usage: ${program} COMMAND [options]

  serve            run the service with its data on this machine (Node 24)
  mock             answer every operation with the contract's examples (Node 24)
  client           create clients, rotate their secrets (Node 24)
  categories       check a file of categories
  export           print an Item's transactions as OFX or CSV (Node 24)
  import           import a bank's files into an Item (Node 24)
  institutions     check a file of institutions
  item             list, refresh and remove Items (Node 24)
  webhook          list webhooks, and send them again (Node 24)
  webhook-key      rotate the key that signs webhooks (Node 24)
  dashboard        create users of the dashboard, and links to sign in (Node 24)
  simplefin        let other programs read accounts by SimpleFIN (Node 24)
  template         create templates of identity verifications (Node 24)
  audit            print who changed what (Node 24)
  backup           copy the data of a folder, while a service runs on it (Node 24)
  jobs             list jobs that are not tried again, and run them again (Node 24)
  statement        print what is in a bank's file (OFX, CAMT, MT940, CSV)
  login            store the credentials of a client as a profile
  logout           remove a profile
  listen           get webhooks, and send them to a local URL
  trigger          make an event happen in the sandbox
  logs             follow the calls of a client
  events           send a webhook again
  open             open the dashboard or a page of the docs
  completion       complete commands and options in a shell
  conform          hold a running service against the contract
  proxy            check what passes between a client and a service
  validate         check a JSON body against the contract
  verify-webhook   check the signature of a webhook

  COMMAND --help   the options of a command, with examples
  --version        print the version of this package

exit code: 0 done or valid, 1 not valid or not started, 2 wrong usage

examples:
  ${program} serve --memory
  ${program} validate transactionsSync request.json`
