import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import type { Touched } from './addition.ts'

/** Copies what git tracks or would track into a repository of its own, with one commit. */
export function copyTree(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'change-cost-')))
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0')
  for (const file of files) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  git(copy, 'init', '--quiet')
  commit(copy, 'the project')
  return copy
}

/** Commits all that is in the copy. */
export function commit(copy: string, message: string): void {
  git(copy, 'add', '--all')
  const author = ['-c', 'user.name=change-cost', '-c', 'user.email=change-cost@example.com']
  git(copy, ...author, 'commit', '--quiet', '--no-verify', '--message', message)
}

/** The files that differ from the last commit. */
export function touchedIn(copy: string): Touched[] {
  git(copy, 'add', '--all')
  const rows = git(copy, 'diff', '--cached', '--numstat').trim().split('\n')
  return rows.map((row) => {
    const [lines, , file] = row.split('\t') as [string, string, string]
    return { file, lines: Number(lines) }
  })
}

const git = (copy: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: copy, encoding: 'utf8' })

/** Runs a program of the copy, and gives back what it printed if it failed. */
export async function failureOf(copy: string, args: string[]): Promise<string | undefined> {
  const environment = { ...process.env, TEST_ENGINE: 'sqlite', REDOCLY_TELEMETRY: 'off' }
  const child = spawn(process.execPath, args, { cwd: copy, env: environment })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const [status] = await once(child, 'close')
  return status === 0 ? undefined : output
}
