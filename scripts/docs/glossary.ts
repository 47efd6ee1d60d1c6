import type { Contract } from '../contract/contract.ts'
import { terms } from './glossary-terms.ts'
import { heading, inline, lead, linkTo, type Page, staticHtml } from './html.ts'
import type { Site } from './site.ts'

export const glossaryPath = 'glossary/'

/** One of our words. Its meaning is that of a field or of an area of the contract, where there is one. */
export interface Term {
  name: string
  /** Other words for it. The search finds it by each of these. */
  also?: readonly string[]
  meaning: string | { field: `${string}.${string}` } | { area: string }
  /** The page that says more, below `/docs/`. */
  page: string
}

/** The words of our terms and of their guides' names, by each single word that others use for them. */
export const synonyms: Record<string, string[]> = collectSynonyms()

function collectSynonyms(): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const { name, also = [], page } of terms) {
    const [, guide = ''] = page.match(/^guides\/([^/]+)/) ?? []
    const own = [...name.toLowerCase().split(' '), ...guide.split('-')].filter(
      (word) => word.length > 1,
    )
    for (const word of also.filter((other) => !other.includes(' '))) {
      found[word.toLowerCase()] = [...(found[word.toLowerCase()] ?? []), ...own]
    }
  }
  return found
}

/** Our terms in alphabetical order, each with its meaning and a link. */
export function glossaryPage({ contract, links }: Site): Page {
  const sorted = terms.toSorted((one, other) => one.name.localeCompare(other.name))
  const entries = sorted.map((term) => {
    const text = meaningOf(contract, term)
    const also = term.also ? ` <span class="also">Also: ${term.also.join(', ')}.</span>` : ''
    return [
      heading(2, term.name, idOf(term)),
      `<p>${inline(text, links)}${also} ${linkTo(term.page, `More about ${term.name}`)}</p>`,
    ].join('\n')
  })
  return {
    path: glossaryPath,
    title: 'Glossary',
    description: 'The terms of the interface and of these docs, and other words for them.',
    options: { outline: 2, pageClass: 'compact' },
    parts: [
      staticHtml(
        heading(1, 'Glossary', 'glossary'),
        lead('The terms of the interface and of these docs, with other words for the same thing.'),
        ...entries,
      ),
    ],
    sections: [
      { anchor: '', titles: ['Glossary'], text: 'terms words definitions' },
      ...sorted.map((term) => ({
        anchor: idOf(term),
        titles: ['Glossary', term.name],
        text: meaningOf(contract, term),
      })),
    ],
  }
}

const idOf = ({ name }: Term): string => name.toLowerCase().replaceAll(' ', '-')

function meaningOf(contract: Contract, { name, meaning }: Term): string {
  if (typeof meaning === 'string') return meaning
  const text =
    'area' in meaning
      ? contract.tags.find((tag) => tag.name === meaning.area)?.description
      : fieldText(contract, meaning.field)
  if (!text) throw new Error(`the contract has no text for the term ${name}`)
  return text
}

function fieldText(contract: Contract, place: string): string | undefined {
  const [schema = '', property = ''] = place.split('.')
  return contract.components.schemas[schema]?.properties?.[property]?.description
}
