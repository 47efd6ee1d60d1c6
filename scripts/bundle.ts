import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { currentVersion, generatedFolder, root, versions } from './contract.ts'

const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
const environment = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/** Writes the bundle of each version, oldest first: the current contract with that version's overlay. */
export function bundle(dates = versions): void {
  for (const version of dates) {
    const overlay = `openapi/versions/${version}.overlay.yaml`
    const flags = existsSync(join(root, overlay)) ? ['--overlay', overlay] : []
    mkdirSync(generatedFolder(version), { recursive: true })
    run(['bundle', 'main', ...flags, '--output', `generated/${version}/openapi.json`])
  }
  copyFileSync(
    join(generatedFolder(currentVersion), 'openapi.json'),
    join(root, 'generated/openapi.json'),
  )
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
