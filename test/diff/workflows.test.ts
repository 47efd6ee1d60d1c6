import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { releaseNotes } from '../../scripts/build/release-notes.ts'
import { root } from '../../scripts/contract/contract.ts'

interface Job {
  uses?: string
  'timeout-minutes'?: number
  permissions?: Record<string, string>
  steps?: { uses?: string; run?: string }[]
}

interface Workflow {
  permissions?: Record<string, string>
  concurrency?: unknown
  jobs: Record<string, Job>
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const workflows = globSync('.github/workflows/*.yaml', { cwd: root })
  .sort()
  .map((file): [string, Workflow] => [basename(file), parse(read(file))])

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

const steps = ({ jobs }: Workflow) => Object.values(jobs).flatMap((job) => job.steps ?? [])

describe.each(workflows)('%s', (_, workflow) => {
  test('runs commands that exist', () => {
    const commands = steps(workflow).map(({ run = '' }) => run)
    const names = commands.flatMap((run) => [...run.matchAll(/npm run (?:--silent )?([\w:-]+)/g)])
    const files = commands.flatMap((run) => [...run.matchAll(/scripts\/run\.js ([\w/-]+)/g)])
    expect(names.map(([, name]) => name!).filter((name) => !(name in scripts))).toEqual([])
    const missing = files.filter(
      ([, name]) =>
        !['.ts', '/main.ts'].some((end) => existsSync(join(root, `scripts/${name}${end}`))),
    )
    expect(missing.map(([, name]) => name)).toEqual([])
  })

  test('uses only actions of GitHub itself, by version, and workflows of its own', () => {
    const jobs = Object.values(workflow.jobs)
    const used = [...steps(workflow), ...jobs].flatMap(({ uses }) => uses ?? [])
    const foreign = used.filter((uses) => !/^actions\/[\w-]+@(v\d+|[\da-f]{40})$/.test(uses))
    expect(foreign.filter((uses) => !existsSync(join(root, uses)))).toEqual([])
  })

  test('may only read, but for the jobs that publish', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const writing = Object.entries(workflow.jobs).filter(([, { permissions = {} }]) => {
      return Object.values(permissions).includes('write')
    })
    expect(writing.map(([name]) => name)).toEqual(
      writing.map(([name]) => name).filter((name) => /^(publish|release|docs|deploy)$/.test(name)),
    )
    // With such rights nothing of the checkout, nor of its packages, is run.
    const risky = writing.flatMap(([, job]) => job.steps ?? []).map(({ run, uses }) => run ?? uses)
    expect(risky.filter((step) => /checkout|npm (ci|install|run|test)/.test(step!))).toEqual([])
  })

  test('ends by itself, and does not run beside itself', () => {
    const endless = Object.entries(workflow.jobs).filter(([, job]) => {
      return !job.uses && !job['timeout-minutes']
    })
    expect(endless.map(([name]) => name)).toEqual([])
    expect(workflow.concurrency).toBeDefined()
  })

  test('puts nothing that others choose into a shell', () => {
    const unsafe = steps(workflow).filter(({ run = '' }) => /\$\{\{\s*(github|inputs)\./.test(run))
    expect(unsafe).toEqual([])
  })
})

describe('release notes', () => {
  const changelog =
    '# Changelog\n\n## 1.1.0 – Unreleased\n\nmore\n\n## 1.0.0 – 2026-03-16\n\n### Added\n\n- all\n'

  test('are the section of the version', () => {
    expect(releaseNotes('v1.0.0', changelog, ['1.0.0', '1.0.0'])).toBe('### Added\n\n- all\n')
  })

  test('are rejected for a tag that is not the version of package and contract', () => {
    expect(() => releaseNotes('v1.0.0', changelog, ['1.0.0', '1.1.0'])).toThrow(
      'the version is 1.1.0',
    )
  })

  test('are rejected where the section has no date', () => {
    expect(() => releaseNotes('v1.1.0', changelog, ['1.1.0'])).toThrow(
      'no section "## 1.1.0 – <date>"',
    )
  })
})
