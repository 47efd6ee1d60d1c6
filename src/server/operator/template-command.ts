import { hasControls } from '../../control-characters.ts'
import { stepsOfProviders } from '../identity-verification/provider-checks.ts'
import { type StepName, stepNames } from '../identity-verification/step.ts'
import {
  insertTemplate,
  listTemplates,
  type NamedTemplate,
} from '../identity-verification/store.ts'
import type { Service } from '../kernel/service.ts'
import { asClient } from './as-client.ts'
import { audit } from './audit.ts'
import { OperatorError } from './operator-error.ts'

/** What an operator does with the templates of identity verifications. */
export type TemplateCommand =
  /** With `id`, another version of a template. */
  | { template: 'create'; client_id: string; name: string; steps: readonly string[]; id?: string }
  | { template: 'list'; client_id?: string }
  | { template: 'show'; id: string }

/** A template in its latest version. */
export interface ShownTemplate {
  id: string
  client_id: string
  name: string | null
  version: number
  steps: readonly StepName[]
  /** The steps that need a provider which is not configured. */
  not_served: readonly StepName[]
}

export interface TemplatesDone {
  templates: ShownTemplate[]
}

/** Carries out a command about templates. Returns those that it concerns. */
export async function runTemplateCommand(
  service: Service,
  command: TemplateCommand,
  actor: string,
): Promise<TemplatesDone> {
  const id = command.template === 'create' ? await create(service, command, actor) : undefined
  const wanted = command.template === 'show' ? command.id : id
  const rows = await service.database.read(listTemplates)
  const templates = rows
    .filter((row) => wanted === undefined || row.template_id === wanted)
    .filter((row) => !('client_id' in command) || row.client_id === command.client_id)
    .map((row) => toShown(service, row))
  if (templates.length > 0 || wanted === undefined) return { templates }
  throw new OperatorError(`there is no template ${wanted}: \`template list\` shows all`)
}

function create(
  service: Service,
  { client_id, name, steps, id }: Extract<TemplateCommand, { template: 'create' }>,
  actor: string,
): Promise<string> {
  if (name.trim() === '' || hasControls(name)) throw new OperatorError('the name must be a text')
  const chosen = readSteps(steps)
  return asClient(service, client_id, async (ctx) => {
    const rows = await listTemplates(ctx.db)
    if (
      id !== undefined &&
      !rows.some((row) => row.template_id === id && row.client_id === client_id)
    ) {
      throw new OperatorError(`the client has no template ${id}: \`template list\` shows all`)
    }
    const template_id = id ?? ctx.newId('identity_verification_template')
    const version = await insertTemplate(ctx.db, { client_id, template_id, name, steps: chosen })
    await audit(service, ctx.db, {
      actor,
      action: 'template.create',
      client_id,
      subject: template_id,
      details: { version, steps: chosen },
    })
    return template_id
  })
}

/** The steps in the order in which they run. */
function readSteps(names: readonly string[]): StepName[] {
  const unknown = names.filter((name) => !stepNames.some((step) => step === name))
  if (unknown.length > 0 || names.length === 0) {
    throw new OperatorError(
      `--steps must be steps with commas between them, of: ${stepNames.join(', ')}`,
    )
  }
  return stepNames.filter((step) => names.includes(step))
}

function toShown({ settings }: Service, row: NamedTemplate): ShownTemplate {
  const steps: StepName[] = JSON.parse(row.steps)
  const served = settings.identityGateway?.steps ?? []
  const isInvented = settings.environment === 'sandbox'
  return {
    id: row.template_id,
    client_id: row.client_id,
    name: row.name,
    version: row.version,
    steps,
    not_served: steps.filter(
      (step) => !isInvented && stepsOfProviders.includes(step) && !served.includes(step),
    ),
  }
}
