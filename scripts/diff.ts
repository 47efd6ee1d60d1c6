import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './contract.ts'

const usage = 'usage: npm run diff [-- BASE]   BASE is a git revision, by default origin/main'

/** Rates what the working tree changes in the contract against another revision, for callers. */
function main(): void {
  const [base = process.env['DIFF_BASE'] ?? 'origin/main'] = process.argv.slice(2)
  const folder = mkdtempSync(join(tmpdir(), 'contract-'))
  const before = join(folder, 'before.json')
  try {
    writeFileSync(before, bundleAt(base))
    process.exitCode = compare(before, join(root, 'generated/openapi.json'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function bundleAt(revision: string): Buffer {
  const git = ['show', `${revision}:generated/openapi.json`]
  try {
    return execFileSync('git', git, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    })
  } catch {
    console.error(`there is no bundle at the revision ${revision}\n${usage}`)
    process.exit(2)
  }
}

function compare(before: string, after: string): number {
  const onGithub = process.env['GITHUB_ACTIONS'] === 'true'
  const format = process.env['DIFF_FORMAT'] ?? (onGithub ? 'github-actions' : 'stylish')
  const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const args = [redocly, 'diff', before, after, '--fail-on', 'major', '--format', format]
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off' }
  return (
    spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: environment }).status ?? 1
  )
}

main()
