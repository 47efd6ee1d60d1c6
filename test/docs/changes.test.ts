import { describe, expect, test } from 'vitest'
import {
  type Contract,
  currentVersion,
  readBundle,
  versions,
} from '../../scripts/contract/contract.ts'
import { sentenceOf, sidesOf } from '../../scripts/docs/change-words.ts'
import { compareVersions } from '../../scripts/docs/compare-versions.ts'
import { readReleases } from '../../scripts/docs/releases.ts'
import { movePath, movesBetween } from '../../scripts/docs/version-moves.ts'
import { html, idsOf, read } from './site.ts'

const moves = movesBetween(versions)

describe('a move between versions', () => {
  test('has a page from each version to the next, and to the newest', () => {
    const [first, second] = versions
    const expected = [`${first} ${second}`, `${first} ${currentVersion}`]
    expect(moves.map(({ from, to }) => `${from} ${to}`)).toEqual(expect.arrayContaining(expected))
    expect(html('versions')).toContain(`href="/docs/${movePath(moves[0]!)}"`)
  })

  test.each(moves)('from $from to $to shows every difference, side by side', (move) => {
    const text = read(movePath(move).replace(/\/$/, '.md'))
    expect(text).toContain(`| ${move.from} | ${move.to} |`)
    for (const { name, changes } of move.differences) {
      expect(text).toMatch(new RegExp(`^## .*\`${name}\``, 'm'))
      for (const change of changes) {
        const [first = ''] =
          sidesOf(change)[change.kind === 'field' && !change.older ? 1 : 0].match(/`[^`]+`/)!
        expect(text).toContain(first)
      }
    }
  })
})

describe('two versions', () => {
  /** The newest version with one edit, compared with it as the older of the two. */
  function edited(edit: (contract: Contract) => void): [string, string, string][] {
    const older = readBundle()
    edit(older)
    return compareVersions(older, readBundle()).flatMap(({ name, changes }) =>
      changes.map((change): [string, string, string] => [
        `${name}: ${sentenceOf(change)}`,
        ...sidesOf(change),
      ]),
    )
  }
  const wallet = (contract: Contract) => contract.components.schemas['WalletGetRequest']!

  test('that are the same have no differences', () => {
    expect(edited(() => {})).toEqual([])
  })

  test('differ by a field that one of them lacks', () => {
    const changes = edited((contract) => {
      wallet(contract).properties!['depth'] = { type: 'integer', description: 'How deep.' }
    })
    expect(changes).toEqual([
      [
        '/wallet/get: Has `request.depth` (integer, optional).',
        '`request.depth` (integer, optional). How deep.',
        'absent',
      ],
    ])
  })

  test('differ by what must be given', () => {
    const changes = edited((contract) => {
      wallet(contract).required = []
    })
    expect(changes).toEqual([
      [
        '/wallet/get: `request.wallet_id` is optional.',
        '`request.wallet_id` is optional',
        '`request.wallet_id` is required',
      ],
    ])
  })

  test('differ by a name, where the example is the same', () => {
    const changes = edited((contract) => {
      const { properties = {} } = wallet(contract)
      properties['purse_id'] = properties['wallet_id']!
      delete properties['wallet_id']
    })
    expect(changes[0]?.[0]).toBe('/wallet/get: `request.wallet_id` is called `purse_id`.')
  })

  test('differ by an operation that one of them lacks', () => {
    const gone = edited((contract) => delete contract.paths['/wallet/get'])
    expect(gone).toEqual([['/wallet/get: Does not exist.', 'absent', 'exists']])
    const more = edited((contract) => {
      contract.paths['/wallet/close'] = contract.paths['/wallet/get']!
    })
    expect(more).toEqual([
      ['/wallet/close: The newer version has no such operation.', 'exists', 'absent'],
    ])
  })
})

describe('the changelog', () => {
  const feed = read('changelog.atom')
  const entries = [...feed.matchAll(/<entry>([\s\S]*?)<\/entry>/g)].map(([, entry]) => entry!)
  const each = (tag: RegExp) => entries.map((entry) => entry.match(tag)?.[1])

  test('has every version of the interface and every release of the package', () => {
    const ids = idsOf(html('changelog'))
    const releases = readReleases().map(({ version }) => `v${version.replaceAll('.', '-')}`)
    expect(ids).toEqual(expect.arrayContaining([...versions, ...releases]))
  })

  test('comes as an Atom feed, of what has a date', () => {
    const dates = [...versions, ...readReleases().flatMap(({ date }) => date ?? [])].sort()
    expect(each(/<updated>(.+?)T00:00:00.000Z</).toReversed()).toEqual(dates)
    expect(new Set(each(/<id>(urn:uuid:.+?)</)).size).toBe(entries.length)
    expect(feed).toContain(`<updated>${dates.at(-1)}T`)
  })

  test('leads from the feed to its anchors', () => {
    const anchors = each(/<link href="\/docs\/changelog\/#(.+?)"/)
    expect(idsOf(html('changelog'))).toEqual(expect.arrayContaining(anchors))
    expect(html('')).toContain('type="application/atom+xml"')
  })
})
