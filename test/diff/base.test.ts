import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Contract, currentVersion, readBundle } from '../../scripts/contract/contract.ts'
import { ofPages } from '../../scripts/contract/undated.ts'
import { bundlesAt, bundlesNow, findBase, gitIn, UsageError } from '../../scripts/diff/base.ts'
import { reportSince } from '../../scripts/diff/main.ts'
import { conclusion, isRejected } from '../../scripts/diff/report.ts'
import { type Edit, edited } from './edit.ts'

const folder = mkdtempSync(join(tmpdir(), 'diff-base-'))
afterAll(() => rmSync(folder, { recursive: true }))

const contract = readBundle()
const withoutWallet = edited(contract, [{ at: 'paths/~1wallet~1get', remove: true }])
const breaking: Edit[] = [
  { at: 'schemas/TransactionsSyncResponse/properties/has_more', remove: true },
]

type Body = Record<string, unknown>

/** A repository on a branch of its own; each commit holds the bundle of one version. */
function repository(name: string, initial = 'main') {
  const place = join(folder, name)
  mkdirSync(place)
  const git = gitIn(place)
  git('init', '--quiet', '--initial-branch', initial)
  git('config', 'user.name', 'test')
  git('config', 'user.email', 'test@example.com')
  const commit = (bundle: Contract | string, file = `generated/${currentVersion}/openapi.json`) => {
    mkdirSync(dirname(join(place, file)), { recursive: true })
    writeFileSync(join(place, file), JSON.stringify(bundle))
    git('add', '.')
    git('commit', '--quiet', '--message', 'change')
  }
  return { place, git, commit }
}

const now = (...edits: Edit[]) => new Map([[currentVersion, edited(contract, edits)]])

describe('the base', () => {
  test('is the commit that the branch began at, whatever came to the main branch since', () => {
    const { git, commit } = repository('branched')
    commit(withoutWallet)
    git('checkout', '--quiet', '-b', 'feature')
    git('commit', '--quiet', '--allow-empty', '--message', 'work')
    git('checkout', '--quiet', 'main')
    commit(edited(withoutWallet, breaking))
    git('checkout', '--quiet', 'feature')
    const report = reportSince(git, findBase(git, 'main'), now())
    expect(report.findings.map(({ sentence }) => sentence)).toEqual(['`walletGet` is new'])
    expect(report.base.name).toBe('main')
  })

  test('had no operation that moved between documents, so nothing breaks', () => {
    const { git, commit } = repository('moved')
    const [platform, sandbox] = ['platform', 'sandbox'].map(readBundle) as [Contract, Contract]
    const path = '/item/public_token/exchange'
    const types = Object.entries(platform.components.schemas)
    const schemas = Object.fromEntries([...types, ...Object.entries(sandbox.components.schemas)])
    const was = {
      ...sandbox,
      paths: { ...sandbox.paths, [path]: platform.paths[path]! },
      components: { ...sandbox.components, schemas },
    }
    const { production: _, ...limits } = platform.paths[path]!.post['x-rate-limits'] as Body
    const post = { ...platform.paths[path]!.post, 'x-rate-limits': limits }
    commit({ ...was, paths: { ...was.paths, [path]: { post } } }, 'generated/sandbox/openapi.json')
    const after = new Map(Object.entries({ platform, sandbox }))
    const report = reportSince(git, findBase(git, 'main'), after)
    expect([report.breaking, report.findings.map(({ sentence }) => sentence)]).toEqual([
      0,
      ['the platform API is new'],
    ])
  })

  test('is the main branch of origin by default', () => {
    const { place, commit } = repository('origin')
    commit(contract)
    const clone = join(folder, 'clone')
    execFileSync('git', ['clone', '--quiet', place, clone])
    expect(findBase(gitIn(clone)).name).toBe('origin/main')
  })

  test('is the main branch where there is no origin', () => {
    const { git, commit } = repository('alone')
    commit(contract)
    expect(findBase(git).name).toBe('main')
  })

  test('has to exist', () => {
    const { git, commit } = repository('trunk', 'trunk')
    commit(contract)
    expect(() => findBase(git)).toThrow('there is no revision origin/main or main')
    expect(() => findBase(git, '--all')).toThrow('there is no revision --all')
  })

  test('has to be reachable, which it may not be in a shallow clone', () => {
    const { place, git, commit } = repository('deep')
    commit(contract)
    git('tag', 'first')
    commit(withoutWallet)
    const clone = join(folder, 'shallow')
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${place}`, clone])
    expect(() => findBase(gitIn(clone), 'first')).toThrow(
      'there is no revision first; this clone is shallow, and `git fetch --unshallow` brings the rest',
    )
  })

  test('has to have bundles', () => {
    const { git, commit } = repository('empty')
    commit('text', 'README.md')
    const base = findBase(git, 'main')
    expect(() => bundlesAt(git, base)).toThrow(
      'there is no generated/<version>/openapi.json at main',
    )
  })

  test('is compared without the documents of the pages of the service', () => {
    const { git, commit } = repository('pages')
    commit(contract)
    for (const name of ofPages) commit(withoutWallet, `generated/${name}/openapi.json`)
    expect([...bundlesAt(git, findBase(git, 'main')).keys()]).toEqual([currentVersion])
  })

  test('has to have bundles that can be read', () => {
    const { place, git, commit } = repository('conflict')
    commit(contract)
    writeFileSync(join(place, `generated/${currentVersion}/openapi.json`), '<<<<<<< HEAD')
    git('commit', '--quiet', '--all', '--message', 'merge')
    expect(() => bundlesAt(git, findBase(git, 'main'))).toThrow(
      `generated/${currentVersion}/openapi.json at main is no JSON`,
    )
  })

  test('has to be in a checkout', () => {
    const place = join(folder, 'no-checkout')
    mkdirSync(place)
    expect(() => findBase(gitIn(place), 'main')).toThrow('this is no git checkout')
  })
})

describe('the bundles of now', () => {
  test('have to be there, and whole', () => {
    const generated = join(folder, 'generated')
    mkdirSync(join(generated, 'broken'), { recursive: true })
    writeFileSync(join(generated, 'broken/openapi.json'), '<<<<<<< HEAD')
    const of = (name: string) => () => bundlesNow([name], generated)
    expect(of('broken')).toThrow(UsageError)
    expect(of('broken')).toThrow('generated/broken/openapi.json cannot be read')
    expect(of('missing')).toThrow('generated/missing/openapi.json cannot be read')
  })
})

describe('a breaking change', () => {
  const { git, commit } = repository('released')
  commit(contract)
  const base = findBase(git)

  test('is rejected', () => {
    expect(isRejected(reportSince(git, base, now(...breaking)))).toBe(true)
  })

  test('is an error that moves to another status, which only the examples show', () => {
    const at = (status: number) =>
      `operations/transactionsSync/responses/${status}/content/application~1json/examples/ITEM_LOCKED`
    const moved: Edit[] = [
      { at: at(429), set: { copy: at(400) } },
      { at: at(400), remove: true },
    ]
    const report = reportSince(git, base, now(...moved))
    expect(report.findings.map(({ kind }) => kind)).toEqual(['error status changed'])
    expect(isRejected(report)).toBe(true)
  })

  test('is let through when the version says so', () => {
    const raised = now(...breaking, { at: 'info/version', set: '1.0.0' })
    expect(isRejected(reportSince(git, base, raised))).toBe(false)
  })

  test('is let through when the version was raised before, over that of the last release', () => {
    const later = repository('later')
    later.commit(edited(contract, [{ at: 'info/version', set: '1.4.0' }]))
    later.git('tag', 'v1.4.0')
    const raised: Edit = { at: 'info/version', set: '2.0.0' }
    later.commit(edited(contract, [raised]))
    const report = reportSince(later.git, findBase(later.git), now(...breaking, raised))
    expect(report.version).toEqual({
      before: '1.4.0',
      after: '2.0.0',
      isAllowed: true,
      needed: '2.0.0',
    })
    expect([report.breaking, isRejected(report)]).toEqual([1, false])
  })

  test('is let through when a new dated version has it and the old one does not', () => {
    const both = new Map([
      [currentVersion, contract],
      ['9999-12-31', edited(contract, breaking)],
    ])
    const report = reportSince(git, base, both)
    expect(report.findings.map(({ sentence, verdict }) => [verdict, sentence])).toEqual([
      ['compatible', 'version `9999-12-31` is new'],
      [
        'compatible',
        `requests that name no version, of clients without a default, get \`9999-12-31\` now, not \`${currentVersion}\``,
      ],
    ])
  })

  test('is a version that is gone', () => {
    const report = reportSince(git, base, new Map([['9999-12-31', contract]]))
    expect(report.findings[0]!.sentence).toBe(`version \`${currentVersion}\` is gone`)
    expect(isRejected(report)).toBe(true)
  })
})

describe('a change without effect on programs', () => {
  const { git, commit } = repository('harmless')
  commit(contract)
  const edits: Record<string, Edit[]> = {
    'in a description': [{ at: 'schemas/Wallet/description', set: 'An e-wallet.' }],
    'in the order of alternatives': [
      {
        at: 'schemas/TransferGetRequest/oneOf',
        set: [{ required: ['authorization_id'] }, { required: ['transfer_id'] }],
      },
    ],
  }

  test.each(Object.entries(edits))('%s is named by its document', (_, edits) => {
    const report = reportSince(git, findBase(git), now(...edits))
    expect([report.findings, report.harmless]).toEqual([[], [currentVersion]])
    expect(conclusion(report).at(-1)).toBe(`Changed without effect on programs: ${currentVersion}.`)
  })

  test('is not there where nothing changed', () => {
    const report = reportSince(git, findBase(git), now())
    expect([report.findings, report.harmless]).toEqual([[], []])
  })
})
