import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFor } from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import { outFolder } from '../contract/place.ts'
import { type NamedStep, namedSteps, settings } from '../contract/settings.ts'
import { settingsMistakes } from '../contract/settings-mistakes.ts'
import { sourceMistakes } from '../lint/sources.ts'
import { validators } from '../validators/validators.ts'
import { accountKinds, accountKindsFolder } from './account-kinds.ts'
import { bundle } from './bundle.ts'
import { categoriesFolder, categoriesSchema } from './categories-schema.ts'
import { clientTable } from './client-table.ts'
import { clientTypes } from './client-types.ts'
import { differences } from './differences.ts'
import { enums } from './enums.ts'
import { errors } from './errors.ts'
import { examples } from './examples.ts'
import { explained } from './explain-failure.ts'
import { gatewayFolder, gatewaySchema } from './gateway-schema.ts'
import { handlers } from './handlers.ts'
import { institutionsFolder, institutionsSchema } from './institutions-schema.ts'
import { linkScript } from './link-script.ts'
import { mappingSchema, statementsFolder } from './mapping-schema.ts'
import { operations } from './operations.ts'
import { packageDates } from './package-dates.ts'
import { plainFields } from './plain-fields.ts'
import { importRules } from './rooms.ts'
import { sandboxTypes } from './sandbox-types.ts'
import { tools } from './tools.ts'
import { closedTypes, ownTypes, types } from './types.ts'
import { undatedOperations } from './undated.ts'
import { versions } from './versions.ts'
import { workflows } from './workflows.ts'
import { worldSchema } from './world-schema.ts'

type Step = () => void | Promise<void>

/** Everything under `generated/`, and the dates in package.json, in the order in which one output needs another. */
const steps = {
  bundle,
  versions,
  packageDates,
  errors,
  types,
  closedTypes,
  ownTypes,
  operations,
  undatedOperations,
  handlers,
  clientTable,
  clientTypes,
  sandboxTypes,
  enums,
  plainFields,
  tools,
  examples,
  differences,
  validators,
  workflows,
  worldSchema,
  mappingSchema,
  linkScript,
  institutionsSchema,
  categoriesSchema,
  gatewaySchema,
  accountKinds,
  importRules,
} satisfies Record<NamedStep, Step> & Record<string, Step>

/** Some steps are for one contract alone, whose settings name them. */
const isNeeded = (step: string): boolean =>
  settings.steps.some((name) => name === step) || !namedSteps.some((name) => name === step)

/** `check` tells further mistakes of the contract before anything is written. */
export async function generate(check: () => string[] = () => []): Promise<void> {
  for (const find of [sourceMistakes, settingsMistakes, check]) {
    const mistakes = find()
    if (mistakes.length > 0) throw new ContractError(mistakes)
  }
  for (const [name, step] of Object.entries(steps).filter(([name]) => isNeeded(name))) {
    const start = performance.now()
    try {
      await step()
    } catch (error) {
      throw explained(name, error)
    }
    console.log(`${name.padEnd(12)}${Math.round(performance.now() - start)} ms`)
  }
  removeOthers()
}

/** Removes what no step writes any more, such as a version that is gone. */
function removeOthers(): void {
  const written = [
    'openapi.json',
    'versions.ts',
    'client.ts',
    'errors.ts',
    'handlers.ts',
    'import-rules.json',
    'link.js',
    'plain-fields.ts',
    'tools.ts',
    statementsFolder,
    institutionsFolder,
    categoriesFolder,
    gatewayFolder,
    accountKindsFolder,
    'undated.ts',
    'workflows.ts',
    ...generatedFor,
  ]
  for (const name of readdirSync(join(outFolder, 'generated'))) {
    if (!written.includes(name)) rmSync(join(outFolder, 'generated', name), { recursive: true })
  }
}
