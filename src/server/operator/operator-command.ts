import type { StatementEvent } from '../../statements/statement.ts'
import { UnknownOutcome } from '../kernel/database.ts'
import type { Service } from '../kernel/service.ts'
import { type AuditCommand, type AuditEntry, runAuditCommand } from './audit-command.ts'
import { type ClientCommand, runClientCommand, type ShownClient } from './client-command.ts'
import { type DashboardCommand, runDashboardCommand, type UsersDone } from './dashboard-command.ts'
import { type ExportCommand, type ExportDone, runExportCommand } from './export-command.ts'
import { type ImportOrder, importFile } from './import-file.ts'
import type { ImportReport } from './import-report.ts'
import { type ItemCommand, type ItemsDone, runItemCommand } from './item-command.ts'
import { OperatorError } from './operator-error.ts'
import { type AccessDone, runSimplefinCommand, type SimplefinCommand } from './simplefin-command.ts'
import { runTemplateCommand, type TemplateCommand, type TemplatesDone } from './template-command.ts'
import { UnfinishedImport } from './unfinished-import.ts'
import { runWebhookCommand, type WebhookCommand, type WebhooksDone } from './webhook-command.ts'

/** What an operator asks of a service, and who asks. */
export type OperatorCommand = { actor: string } & (
  | ClientCommand
  | ItemCommand
  | WebhookCommand
  | AuditCommand
  | DashboardCommand
  | TemplateCommand
  | ExportCommand
  | SimplefinCommand
  | { import: ImportOrder }
)

/** What a command leads to. */
export type OperatorDone =
  | { clients: ShownClient[] }
  | ItemsDone
  | WebhooksDone
  | { entries: AuditEntry[] }
  | UsersDone
  | TemplatesDone
  | ExportDone
  | AccessDone
  | ImportReport

/** The events of a file to import, in batches. */
export type Events = AsyncIterable<readonly StatementEvent[]>

/** Carries out a command on the data of a service, whether that listens or not. */
export async function runOperatorCommand(
  service: Service,
  command: OperatorCommand,
  events: Events,
): Promise<OperatorDone> {
  try {
    return await run(service, command, events)
  } catch (error) {
    throw toPlain(error)
  }
}

function toPlain(error: unknown): unknown {
  if (error instanceof UnfinishedImport) {
    return new UnfinishedImport(error.report, toPlain(error.cause))
  }
  if (!(error instanceof UnknownOutcome)) return error
  const message = 'the service failed as it kept a change: look whether it did before you repeat it'
  return new OperatorError(message, { cause: error })
}

function run(service: Service, command: OperatorCommand, events: Events): Promise<OperatorDone> {
  const { actor } = command
  // These name Items and clients, too.
  if ('simplefin' in command) return runSimplefinCommand(service, command, actor)
  if ('export' in command) return runExportCommand(service, command, actor)
  if ('client' in command) return runClientCommand(service, command, actor)
  if ('item' in command) return runItemCommand(service, command, actor)
  if ('audit' in command) return runAuditCommand(service, command)
  if ('dashboard' in command) return runDashboardCommand(service, command, actor)
  if ('template' in command) return runTemplateCommand(service, command, actor)
  if ('import' in command) return importFile(service, command.import, events, actor)
  return runWebhookCommand(service, command, actor)
}
