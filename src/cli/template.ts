import { escapeControls } from '../control-characters.ts'
import type {
  ShownTemplate,
  TemplateCommand,
  TemplatesDone,
} from '../server/operator/template-command.ts'
import { askOperator, dataHelp, dataOptions, printDone, toTable } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions, requirePlain } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} template create NAME --client ID --steps STEP,STEP [--id ID] [options]
       ${program} template list [--client ID] [options]
       ${program} template show ID [options]

Manages the templates of identity verifications. A template says which steps its users go through. The steps run in a
fixed order: accept_tos, verify_sms, kyc_check, documentary_verification, selfie_check, watchlist_screening, risk_check.

  --client ID     name the client that uses the template
  --steps STEPS   set the steps, separated by commas
  --id ID         create another version of this template, which new attempts follow
${dataHelp}

exit code: 0 done, 1 not done, 2 wrong usage

examples:
  ${program} template create onboarding --client client-0f2e9a4b7c31d58e6a90bb17 --steps accept_tos,kyc_check
  ${program} template list`

/** Manages the templates of identity verifications. */
export const template: Command = { help, node: 24, run }

const options = {
  ...dataOptions,
  client: { type: 'string' },
  steps: { type: 'string' },
  id: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const command = toCommand(positionals, values)
  return printDone(askOperator<TemplatesDone>(values.data, command), ({ templates }) => {
    const isList = command.template === 'list'
    if (values.json) console.log(toJson(isList ? templates : templates[0]))
    else console.log(isList ? toList(templates) : templates.map(toLines).join('\n'))
    return 0
  })
}

function toCommand(words: string[], values: Values): TemplateCommand {
  const [what, name, extra] = words
  const { client, steps, id } = values
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many`)
  if (what === 'list' && name === undefined) {
    return { template: 'list', ...(client === undefined ? {} : { client_id: client }) }
  }
  if (what === 'show')
    return { template: 'show', id: name ?? missing('name the template by its id') }
  if (what !== 'create') throw new UsageError('say what to do: create, list or show')
  requirePlain('the name', name)
  return {
    template: 'create',
    name: name ?? missing('give the template a name'),
    client_id: client ?? missing('give --client ID'),
    steps: (steps ?? missing('give --steps STEP,STEP')).split(',').map((step) => step.trim()),
    ...(id === undefined ? {} : { id }),
  }
}

function missing(message: string): never {
  throw new UsageError(message)
}

const toList = (templates: readonly ShownTemplate[]): string =>
  toTable(
    ['TEMPLATE ID', 'CLIENT ID', 'NAME', 'VERSION', 'STEPS', 'NOT SERVED'],
    templates.map((one) => [
      one.id,
      one.client_id,
      one.name ?? '',
      String(one.version),
      one.steps.join(','),
      one.not_served.join(','),
    ]),
  )

const toLines = (one: ShownTemplate): string =>
  [
    ['template id', one.id],
    ['client', one.client_id],
    ['name', one.name ?? ''],
    ['version', String(one.version)],
    ['steps', one.steps.join(', ')],
    ...(one.not_served.length === 0
      ? []
      : [
          ['not served', `${one.not_served.join(', ')}   (needs a provider before it can be used)`],
        ]),
  ]
    .map(([name = '', value = '']) => `${name.padEnd(13)} ${escapeControls(value)}`)
    .join('\n')
