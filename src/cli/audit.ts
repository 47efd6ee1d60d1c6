import { escapeControls } from '../control-characters.ts'
import type { AuditEntry } from '../server/operator/audit-command.ts'
import { askOperator, dataHelp, dataOptions, printDone } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} audit list [--since TIME] [--client ID] [--action NAME] [options]

Prints what operators and imports changed, the oldest first: when, who, what, and on which client.
With --json each line is one change, for an archive.

  --since TIME    print changes from this time on, such as 2026-11-01 or 2026-11-01T08:00:00Z
  --client ID     print changes of one client
  --action NAME   print one action, such as client.create, or a group of actions, such as client
${dataHelp}

exit code: 0 done, 1 not done, 2 wrong usage

examples:
  ${program} audit list --since 2026-11-01
  ${program} audit list --action import --json > imports.jsonl`

/** Prints the audit log. */
export const audit: Command = { help, node: 24, run }

const options = {
  ...dataOptions,
  since: { type: 'string' },
  client: { type: 'string' },
  action: { type: 'string' },
} as const
const pageSize = 500

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  if (positionals.join(' ') !== 'list') throw new UsageError('say what to do: list')
  let after = { at: readTime(values.since), audit_id: '' }
  // Pages are short statements; a search of the whole log would hold up a service.
  const isMeant = ({ client_id, action }: AuditEntry): boolean =>
    (values.client ?? client_id) === client_id &&
    `${action}.`.startsWith(`${values.action ?? action}.`)
  for (;;) {
    let page: AuditEntry[] = []
    const command = { audit: 'list', after, count: pageSize } as const
    const asking = askOperator<{ entries: AuditEntry[] }>(values.data, command)
    const code = await printDone(asking, ({ entries }) => {
      page = entries
      for (const entry of entries.filter(isMeant))
        console.log(values.json ? toJson(entry) : toLine(entry))
      return 0
    })
    const last = page.at(-1)
    if (code !== 0 || !last || page.length < pageSize) return code
    after = { at: last.at, audit_id: last.audit_id }
  }
}

function readTime(text: string | undefined): string {
  if (text === undefined) return ''
  const time = Date.parse(text)
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(time)) return new Date(time).toISOString()
  throw new UsageError('--since must be a date or a time such as 2026-11-01T08:00:00Z')
}

const toLine = ({ at, actor, action, client_id, subject, details }: AuditEntry): string =>
  [at, actor, action, client_id, subject, JSON.stringify(details)]
    .filter(Boolean)
    .map((part) => escapeControls(String(part)))
    .join('  ')
