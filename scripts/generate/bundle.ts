import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { published } from '../../src/contract/published.ts'
import {
  type Contract,
  currentVersion,
  eachOperation,
  fillVersions,
  generatedFolder,
  generatedFor,
  interfaceTitle,
  readBundle,
  requestSchema,
  root,
  sourceFolder,
  versions,
} from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import { codesByStatus } from '../contract/error-keys.ts'
import { base, outFolder } from '../contract/place.ts'
import { isOfPages, isUndated, undated } from '../contract/undated.ts'
import { serviceBase } from '../docs/base.ts'
import { folderOf, operationPath } from '../docs/site.ts'
import { bodyLimit } from './body-limits.ts'
import {
  type Action,
  findIdle,
  impossibleActions,
  type Overlay,
  readOverlay,
  takeMarks,
  withMarks,
} from './overlay.ts'
import { webhookNames } from './webhook-names.ts'

const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
const environment = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

const bundleOf = (name: string): string => join(generatedFolder(name), 'openapi.json')

/**
 * Writes the bundle of each document: that of an older version from the next newer one's, by its
 * overlay, and all others from their sources.
 */
export function bundle(names: readonly string[] = generatedFor): void {
  const others = names.filter((name) => isUndated(name) || isOfPages(name))
  const dates = names.filter((name) => !isUndated(name) && !isOfPages(name))
  // Newest first. A document without versions can list the webhooks of those before it.
  for (const name of [...dates.toSorted().reverse(), ...others]) {
    mkdirSync(generatedFolder(name), { recursive: true })
    const contract = withDerived(name)
    writeFileSync(bundleOf(name), JSON.stringify(published(contract), null, 2))
  }
  copyFileSync(bundleOf(currentVersion), join(outFolder, 'generated/openapi.json'))
}

/** Sets the maximum body length of each operation, the codes that it fails with, and links. */
function withDerived(name: string): Contract {
  const contract = JSON.parse(textOf(name)) as Contract
  for (const { operation } of eachOperation(contract)) {
    operation['x-maximum-body'] = bodyLimit(contract, requestSchema(operation))
    operation['x-error-codes'] = codesByStatus(contract, operation)
  }
  return isOfPages(name) ? contract : withLinks(contract, name)
}

/** Links operations and tags to the docs, which have a page for each. */
function withLinks(contract: Contract, name: string): Contract {
  const docs = new URL(serviceBase, contract.servers[0]!.url)
  const folder = folderOf(name)
  for (const { operation } of eachOperation(contract)) {
    const { href } = new URL(operationPath({ folder }, operation.operationId), docs)
    operation.externalDocs = { url: href }
  }
  for (const tag of contract.tags) {
    tag.externalDocs = { url: new URL(`${folder}/#${tag.name}`, docs).href }
  }
  return contract
}

/** The actions of all overlays that have nothing to do, told by the sources and not by old bundles. */
export function overlayMistakes(): string[] {
  let newer = JSON.parse(textOf(currentVersion)) as Contract
  for (const version of versions.toReversed().slice(1)) {
    const { document, idle } = olderThan(newer, version)
    if (idle.length > 0) return idle
    newer = document
  }
  return []
}

function textOf(name: string): string {
  if (isOfPages(name)) return fillVersions(apply(fileOf(name), versionList))
  if (isUndated(name))
    return fillVersions(apply(fileOf(name), [...versionList, ...namesBefore(name)]))
  if (name === currentVersion) {
    return fillVersions(apply(fileOf(name), [...versionList, dateOf(name)]))
  }
  return textOfOlder(name)
}

/** The root file of a document, as redocly finds it. */
const fileOf = (name: string): string => join(base, sourceFolder(name), 'openapi.yaml')

const namesBefore = (name: string): Action[] =>
  webhookNames([...undated.slice(0, undated.indexOf(name)), currentVersion])

/** Fills in the dates of all versions, which are known by their files. */
const versionList: Action[] = [
  { target: `$..[?@['x-versions'] == true]`, update: { enum: versions } },
  { target: `$..[?@['x-versions'] == true]['x-versions']`, remove: true },
  {
    target: '$.components.parameters.ServiceVersion',
    update: {
      schema: { default: currentVersion, examples: [currentVersion] },
      example: currentVersion,
    },
  },
]

/** Says the date of a version, and says it in the title. */
const dateOf = (version: string): Action => ({
  target: '$.info',
  update: { title: `${interfaceTitle} (${version})`, 'x-api-version': version },
})

/** An action whose target matches nothing is an error here; redocly would skip it. */
function textOfOlder(version: string): string {
  const newer = versions[versions.indexOf(version) + 1] as string
  const { document, idle } = olderThan(readBundle(newer), version)
  if (idle.length > 0) throw new ContractError(idle)
  return JSON.stringify(document, null, 2)
}

/** A version from the next newer one, and the actions of its overlay that had nothing to do. */
function olderThan(newer: Contract, version: string): { document: Contract; idle: string[] } {
  const overlay = readOverlay(`${sourceFolder(currentVersion)}/versions/${version}.overlay.yaml`)
  const actions = [...withMarks(overlay.actions), dateOf(version)]
  const document = JSON.parse(applyOverlay(newer, overlay, actions))
  return { idle: findIdle(overlay, takeMarks(document)), document }
}

function applyOverlay(newer: Contract, overlay: Overlay, actions: Action[]): string {
  try {
    return apply(newer, actions)
  } catch (error) {
    const mistakes = impossibleActions(overlay, (error as Error).message)
    throw mistakes.length > 0 ? new ContractError(mistakes) : error
  }
}

/** The bundle of an API, or another bundle, after an overlay of these actions. */
function apply(api: string | Contract, actions: Action[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'overlay-'))
  const file = (name: string): string => join(folder, name)
  try {
    const [overlay, output] = [file('overlay.yaml'), file('openapi.json')]
    const info = { title: 'actions', version: '1.0.0' }
    writeFileSync(overlay, stringify({ overlay: '1.0.0', info, actions }))
    if (typeof api !== 'string') writeFileSync(file('newer.json'), JSON.stringify(api))
    const input = typeof api === 'string' ? api : file('newer.json')
    run(['bundle', input, '--overlay', overlay, '--output', output])
    return readFileSync(output, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function run(args: string[]): void {
  // A clash of component names would be renamed with a mere warning.
  const strict = ['--component-renaming-conflicts-severity', 'error']
  try {
    execFileSync(process.execPath, [redocly, ...args, ...strict], {
      cwd: root,
      env: environment,
      stdio: 'pipe',
    })
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: Buffer; stdout?: Buffer }
    throw new Error(`${args.join(' ')}\n${stdout ?? ''}${stderr ?? ''}`, { cause: error })
  }
}
