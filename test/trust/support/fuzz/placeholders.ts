import type { Body } from './subjects.ts'

/** What answers held, by the name of its field; the latest of a name. */
export type Told = Map<string, string>

/** Keeps every text of an answer, and of a list of texts the first; the outermost of a name. */
export function keepTold(told: Told, answer: unknown): void {
  const found: Told = new Map()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const members = Object.entries(value)
    for (const [name, part] of members) {
      const [text] = Array.isArray(part) ? part : [part]
      if (typeof text === 'string' && !found.has(name)) found.set(name, text)
    }
    for (const [, part] of members) visit(part)
  }
  visit(answer)
  for (const [name, text] of found) told.set(name, text)
}

export const fillText = (text: string, told: Told): string =>
  text.replaceAll(/\{([a-z_]+)\}/g, (place, name: string) => told.get(name) ?? place)

/** Puts what answers held where a text says `{name}`. */
export const fillBody = (body: Body, told: Told): Body =>
  JSON.parse(fillText(JSON.stringify(body), told)) as Body
