import { ask } from './call-service.ts'
import { callerHelp, callerOptions, readCaller } from './caller.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions } from './options.ts'
import { printAsked } from './print-asked.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} events resend WEBHOOK_ID [options]

Sends a webhook of the client again, to its address and to every program that listens. The body is the
same, and the signature is new. \`listen\` and the dashboard show the id of each webhook.

${callerHelp}

exit code: 0 on its way, 1 not sent, 2 wrong usage

examples:
  ${program} events resend 94f4fa9b-7c0c-4f6f-9f0e-6f0b3f3f0a51`

/** Sends webhooks of a client again. */
export const events: Command = { help, run }

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, callerOptions)
  const [what, id, extra] = positionals
  if (what !== 'resend') throw new UsageError('say what to do: resend')
  if (id === undefined || extra !== undefined) throw new UsageError('name one webhook by its id')
  const caller = await readCaller(values.profile)
  const asking = ask(caller, 'webhookResend', { webhook_id: id })
  return printAsked(asking, ({ request_id }) => {
    console.log(values.json ? toJson({ webhook_id: id, request_id }) : `${id} is on its way`)
    return 0
  })
}
