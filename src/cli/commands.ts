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
  backup: async () => (await import('./backup.ts')).backupCommand,
  jobs: async () => (await import('./jobs.ts')).jobsCommand,
  validate: async () => (await import('./validate.ts')).validate,
  'verify-webhook': async () => (await import('./verify-webhook.ts')).verifyWebhookCommand,
}

export const overview = `usage: ${program} COMMAND [options]

  serve            run the service with its data on this machine (Node 24)
  mock             answer every operation with the contract's examples (Node 24)
  backup           copy the data of a folder, while a service runs on it (Node 24)
  jobs             list jobs that failed for good, and run them again (Node 24)
  validate         check a JSON body against the contract
  verify-webhook   check the signature of a webhook

  COMMAND --help   the options of a command, with examples
  --version        print the version of this package

exit code: 0 done or valid, 1 not valid or not started, 2 wrong usage

examples:
  ${program} serve --memory
  ${program} validate transactionsSync request.json`
