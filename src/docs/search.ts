// These run in the browser too, where they arrive as source text: they can use nothing from outside.

/**
 * Splits a text, or what someone looks for, into words. Names count as a whole and in parts:
 * `request.options.account_id` is also `account_id`, and `account`. That a field is one of a request
 * finds nothing: half of all fields are.
 */
export function splitWords(text: string): string[] {
  // On nearly every page, so that they find nothing, and an eighth of the index would be theirs.
  const stopWords =
    'a all also an and any are as at be been before but by can does each for from had has have how if in into is it its more no not of on one only or other s same so such than that the their then there they this to was were what when where which who will with without you your'
  return text.split(/[\s,;:()'"`“”!?<>·]+/).flatMap((word) => {
    const whole = word
      .replace(/^[./-]+|[./-]+$/g, '')
      .replace(/^(?:request|response|body)\.(?=\w)/, '')
    const names = whole.split(/[./]+/)
    const parts = names.flatMap((name) =>
      name
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .split(/[\s_-]+/)
        .filter((part) => part !== ''),
    )
    return [...new Set([whole, ...names, ...parts])].filter(
      (part) => part !== '' && !` ${stopWords} `.includes(` ${part.toLowerCase()} `),
    )
  })
}

/**
 * Guides come first, but for paths; a page counts more than a section, and a field least, unless its
 * whole path is looked for.
 */
export function weightOf(id: string, term: string, stored?: Record<string, unknown>): number {
  if (/#(?:request|response|body)\./.test(id)) return term.includes('.') ? 3 : 0.7
  const { titles } = stored ?? {}
  const isPage = Array.isArray(titles) && titles.length === 0
  if (/\/(?:guides|glossary)\//.test(id) && !term.includes('/')) return isPage ? 5 : 2
  if (!isPage) return 1
  return id.includes('/operations/') ? 3 : 2
}

/** What the index holds of a section. Texts are searched whole, and only their start is stored. */
export function fieldOf(section: Record<string, string>, name: string): string | undefined {
  if (name !== 'excerpt') return section[name]
  // All texts of fields would double the index.
  if (/#(?:request|response|body)\./.test(section['id'] ?? '')) return undefined
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" }
  const plain = (section['text'] ?? '')
    .replace(/&(lt|gt|quot|amp|#39);/g, (_entity, entity) => names[entity] ?? '')
    .replace(/[\s\u200b]+/g, ' ')
    .trim()
  return plain.length > 100 ? `${plain.slice(0, 100).replace(/ \S*$/, '')} …` : plain
}

/**
 * Adds to a word that somebody looks for the words that the docs use instead, but not to parts of
 * codes such as ITEM_LOGIN_REQUIRED. The table becomes a part of the function's text.
 */
export const expanderOf = (synonyms: Record<string, readonly string[]>) =>
  new Function(
    'term',
    `const word = term.toLowerCase()
    const isOfCode = /^[A-Z]+$/.test(term)
    return [word, ...((!isOfCode && ${JSON.stringify(synonyms)}[word]) || [])]`,
  ) as (term: string) => string[]
