/** Markup that is safe to send. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | false | null | undefined | readonly Part[]

/** Markup from a template. What stands in it is escaped, unless it is markup itself. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: strings.reduce((before, after, index) => before + toText(parts[index - 1]) + after),
})

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function toText(part: Part): string {
  if (part === false || part == null) return ''
  if (typeof part === 'string') return part.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(toText).join('')
}
