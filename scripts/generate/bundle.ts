import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import {
  type Contract,
  currentVersion,
  documents,
  eachOperation,
  fillVersions,
  generatedFolder,
  interfaceTitle,
  requestSchema,
  root,
  sandbox,
  versions,
} from '../contract/contract.ts'
import { bodyLimit } from './body-limits.ts'
import { type Action, findIdle, readOverlay, takeMarks, withMarks } from './overlay.ts'
import { webhookNames } from './webhook-names.ts'

const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
const environment = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

const bundleOf = (name: string): string => join(generatedFolder(name), 'openapi.json')

/**
 * Writes the bundle of each document: those of the newest version and of the sandbox API from
 * their sources, and that of an older version from the next newer one's, by its overlay.
 */
export function bundle(names = documents): void {
  const dates = names.filter((name) => name !== sandbox)
  // Newest first. The sandbox lists the webhooks of the newest version, so it comes last.
  for (const name of [...dates.toSorted().reverse(), ...names.filter((one) => one === sandbox)]) {
    mkdirSync(generatedFolder(name), { recursive: true })
    writeFileSync(bundleOf(name), withLimits(textOf(name)))
  }
  copyFileSync(bundleOf(currentVersion), join(root, 'generated/openapi.json'))
}

/** Sets the maximum body length of each operation. */
function withLimits(text: string): string {
  const contract = JSON.parse(text) as Contract
  for (const { operation } of eachOperation(contract)) {
    operation['x-maximum-body'] = bodyLimit(contract, requestSchema(operation))
  }
  return JSON.stringify(contract, null, 2)
}

function textOf(name: string): string {
  if (name === sandbox) return fillVersions(apply('sandbox', [...versionList, ...webhookNames()]))
  if (name === currentVersion) return fillVersions(apply('main', [...versionList, dateOf(name)]))
  return textOfOlder(name)
}

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
  const overlay = readOverlay(`openapi/versions/${version}.overlay.yaml`)
  const actions = [...withMarks(overlay.actions), dateOf(version)]
  const text = apply(`generated/${newer}/openapi.json`, actions)
  const document = JSON.parse(text)
  const idle = findIdle(overlay, takeMarks(document))
  if (idle.length > 0) throw new Error(idle.join('\n'))
  return JSON.stringify(document, null, 2)
}

/** The bundle of an API after an overlay of these actions. */
function apply(api: string, actions: Action[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'overlay-'))
  try {
    const [overlay, output] = [join(folder, 'overlay.yaml'), join(folder, 'openapi.json')]
    const info = { title: api, version: '1.0.0' }
    writeFileSync(overlay, stringify({ overlay: '1.0.0', info, actions }))
    run(['bundle', api, '--overlay', overlay, '--output', output])
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
