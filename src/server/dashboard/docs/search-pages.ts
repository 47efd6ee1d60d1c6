import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DashboardDocsSection } from '../../../../generated/dashboard/closed.ts'
import { splitWords } from '../../../docs/search.ts'

const mostText = 1500
/** Words in a heading say more of a section than those in its text. */
const weights = { title: 6, heading: 4, text: 1 }
/** Guides explain, and lists of older versions repeat. */
const places: readonly [RegExp, number][] = [
  [/^guides\//, 2],
  [/^(?:operations|sandbox|platform|webhooks|errors)\//, 1.2],
  [/^(?:versions\/|changelog|llms)/, 0.3],
]

interface Found {
  section: DashboardDocsSection
  score: number
}

/**
 * Finds sections by their words. The pages are read at each search: agents search seldom, and an index
 * would take memory from all others. Between two pages other requests get their turn.
 */
export async function searchPages(
  folder: string,
  query: string,
  count: number,
): Promise<DashboardDocsSection[]> {
  const words = [...new Set(splitWords(query).map((word) => word.toLowerCase()))]
  if (words.length === 0) return []
  let best: Found[] = []
  const files = await readdir(folder, { recursive: true })
  for (const page of files.filter((file) => file.endsWith('.md')).sort()) {
    const text = await readFile(join(folder, page), 'utf8')
    const found = sectionsOf(page.replaceAll('\\', '/'), text)
      .map((section) => ({ section, score: scoreOf(section, words) }))
      .filter(({ score }) => score > 0)
    best = [...best, ...found].sort(byScore).slice(0, count)
  }
  return best.map(({ section }) => ({ ...section, text: shortened(section.text) }))
}

const byScore = (one: Found, other: Found): number =>
  other.score - one.score || (one.section.page < other.section.page ? -1 : 1)

const shortened = (text: string): string =>
  text.length > mostText ? `${text.slice(0, mostText)}…` : text

/** The sections of a page. A line in a block of code is no heading. */
function sectionsOf(page: string, markdown: string): DashboardDocsSection[] {
  const lines = markdown.split('\n')
  const title = lines.find((line) => line.startsWith('# '))?.slice(2) ?? page
  const sections: DashboardDocsSection[] = [{ page, title, heading: null, text: '' }]
  let isCode = false
  let parts: string[] = []
  const end = () => {
    const last = sections.at(-1)
    if (last) last.text = parts.join('\n').trim()
    parts = []
  }
  for (const line of lines) {
    if (line.startsWith('```')) isCode = !isCode
    const heading = isCode ? undefined : /^#{2,4} (.+)/.exec(line)?.[1]
    if (heading === undefined) {
      if (isCode || !line.startsWith('# ')) parts.push(line)
      continue
    }
    end()
    sections.push({ page, title, heading, text: '' })
  }
  end()
  return sections.filter(({ text, heading }) => text !== '' || heading !== null)
}

/** Each word counts once in each part: a long section is not better than a short one. */
function scoreOf(section: DashboardDocsSection, words: readonly string[]): number {
  const parts = {
    title: section.title.toLowerCase(),
    heading: (section.heading ?? '').toLowerCase(),
    text: section.text.toLowerCase(),
  }
  const scores = words.map((word) =>
    (['title', 'heading', 'text'] as const).reduce(
      (sum, name) => sum + (hasWord(parts[name], word) ? weights[name] : 0),
      0,
    ),
  )
  const hits = scores.filter((score) => score > 0).length
  if (hits === 0) return 0
  const place = places.find(([path]) => path.test(section.page))?.[1] ?? 1
  // A section with all words comes before one that repeats some.
  const share = hits / words.length
  return scores.reduce((sum, score) => sum + score, 0) * share ** 2 * place
}

/** Whether a word, or a longer one that begins alike, stands in a text. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[a-z0-9]/.test(text[at - 1] ?? '')) return true
  }
  return false
}
