import { cpSync, existsSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { gitIn } from '../diff/base.ts'
import type { Touched } from './addition.ts'

/** Copies what git tracks or would track into a repository of its own, with one commit. */
export function copyTree(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'change-cost-')))
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = gitIn(root)(...listed).split('\0')
  for (const file of files) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  gitIn(copy)('init', '--quiet')
  commit(copy, 'the project')
  return copy
}

/** Commits everything that is in the copy. */
export function commit(copy: string, message: string): void {
  const git = gitIn(copy)
  git('add', '--all')
  const author = ['-c', 'user.name=change-cost', '-c', 'user.email=change-cost@example.com']
  git(...author, 'commit', '--quiet', '--no-verify', '--message', message)
}

/** The files that differ from the last commit. */
export function touchedIn(copy: string): Touched[] {
  const git = gitIn(copy)
  git('add', '--all')
  const rows = git('diff', '--cached', '--numstat').trim().split('\n')
  return rows.map((row) => {
    const [lines, , file] = row.split('\t') as [string, string, string]
    return { file, lines: Number(lines) }
  })
}
