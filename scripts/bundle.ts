import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSeq, LineCounter, parseDocument, stringify } from 'yaml'
import { currentVersion, documents, generatedFolder, root, sandbox } from './contract.ts'

const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
const environment = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/**
 * Writes the bundle of each document: for a version the current contract with its overlay, for the
 * control surface its own.
 */
export function bundle(names = documents): void {
  for (const name of names) {
    const overlay = `openapi/versions/${name}.overlay.yaml`
    const flags = existsSync(join(root, overlay)) ? ['--overlay', overlay] : []
    mkdirSync(generatedFolder(name), { recursive: true })
    if (flags.length > 0) checkTargets(overlay)
    const api = name === sandbox ? 'sandbox' : 'main'
    run(['bundle', api, ...flags, '--output', `generated/${name}/openapi.json`])
  }
  copyFileSync(
    join(generatedFolder(currentVersion), 'openapi.json'),
    join(root, 'generated/openapi.json'),
  )
}

interface Overlay {
  actions: { target: string }[]
  [key: string]: unknown
}

/**
 * Refuses an overlay with an action whose target matches nothing, which redocly would pass over.
 * A trial copy leaves a mark before each action, by redocly's own JSONPath: the filter
 * `[?<target>]` holds if the target, which is absolute, matches something at that moment.
 */
function checkTargets(overlay: string): void {
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(join(root, overlay), 'utf8'), { lineCounter: lines })
  const content = document.toJS() as Overlay
  const probe = 'x-matched'
  const actions = content.actions.flatMap((action, index) => [
    { target: `$['${probe}'][?${action.target}]`, update: { [index]: true } },
    action,
  ])
  const start = { target: '$', update: { [probe]: { marks: {} } } }
  const folder = mkdtempSync(join(tmpdir(), 'overlay-'))
  try {
    const trial = join(folder, 'trial.yaml')
    const output = join(folder, 'openapi.json')
    writeFileSync(trial, stringify({ ...content, actions: [start, ...actions] }))
    run(['bundle', 'main', '--overlay', trial, '--output', output])
    const { marks } = JSON.parse(readFileSync(output, 'utf8'))[probe]
    const nodes = document.get('actions')
    const idle = content.actions.flatMap(({ target }, index) => {
      if (index in marks) return []
      const node = isSeq(nodes) ? (nodes.items[index] as { range?: [number] }) : undefined
      const { line } = lines.linePos(node?.range?.[0] ?? 0)
      return [`${overlay}:${line}: the target matches nothing: ${target}`]
    })
    if (idle.length > 0) throw new Error(idle.join('\n'))
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
