import { sidesOf } from './change-words.ts'
import type { Difference } from './compare-versions.ts'
import { guides } from './guides.ts'
import {
  codeLink,
  heading,
  inline,
  lead,
  linkTo,
  list,
  type Page,
  staticHtml,
  table,
} from './html.ts'
import type { Site } from './site.ts'
import { type Move, movePath, moveTitle } from './version-moves.ts'

/** A page for each way from a version to a newer one, with both of them side by side. */
export const movePages = (site: Site): Page[] => site.moves.map((move) => movePage(site, move))

function movePage(site: Site, move: Move): Page {
  const { differences } = move
  return {
    path: movePath(move),
    title: moveTitle(move),
    description: `What is not the same in the versions ${move.from} and ${move.to}, side by side.`,
    options: { outline: 2 },
    parts: [
      staticHtml(
        heading(1, moveTitle(move), 'move'),
        lead(opening(move)),
        guideNote(),
        ...sideBySide(site, move, 2),
      ),
    ],
    sections: differences.map(({ name, changes }) => ({
      anchor: anchorOf(name),
      titles: [moveTitle(move), name],
      text: changes.map((change) => sidesOf(change).join(' ')).join(' '),
    })),
  }
}

/** A table for each operation and webhook that is not the same, under headings of this level. */
const sideBySide = ({ links }: Site, move: Move, level: 2 | 4): string[] =>
  move.differences.flatMap((difference) => {
    const { name } = difference
    const id = level === 2 ? anchorOf(name) : `${move.from}.${anchorOf(name)}`
    return [heading(level, name, id, codeLink(name, links)), sidesTable(move, difference, links)]
  })

const anchorOf = (name: string): string => name.replace(/^\//, '').replaceAll('/', '.')

function opening({ from, to, differences }: Move): string {
  const count = differences.length
  const what = count === 1 ? 'One operation is' : `${count} operations and webhooks are`
  const all = differences.every(({ operationId }) => operationId)
  const words = all ? what.replace(' and webhooks', '') : what
  return `${words} not the same in ${from} and in ${to}. Everything that is not listed here is the same in both.`
}

/** Leads to the guide on moving, once there is one. */
function guideNote(): string {
  const guide = guides().find(({ path }) => path === 'guides/move-between-versions/')
  return guide
    ? `<p class="note">How to move your program: ${linkTo(guide.path, guide.title)}.</p>`
    : ''
}

function sidesTable({ from, to }: Move, { changes }: Difference, links: Site['links']): string {
  const rows = changes.map((change) => ({
    cells: sidesOf(change).map((text) => side(text, links)),
  }))
  return table('sides', [from, to], rows)
}

const side = (text: string, links: Site['links']): string =>
  text === 'absent' ? '<em>absent</em>' : inline(text, links)

/** The links to all of them. */
export const moveList = ({ moves }: Site): string =>
  list(moves.map((move) => linkTo(movePath(move), moveTitle(move))))

/** Every way from a version to the next, for the guide that tells how to move. */
export function differencesForGuide(site: Site): string {
  const nearest = new Map(site.moves.toReversed().map((move) => [move.from, move]))
  return site.moves
    .filter((move) => nearest.get(move.from) === move)
    .flatMap((move) => [
      heading(3, moveTitle(move), `${move.from}-to-${move.to}`),
      ...sideBySide(site, move, 4),
    ])
    .join('\n')
}
