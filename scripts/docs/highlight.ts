import { escapeHtml } from './escape-html.ts'

/**
 * Colors for the languages of the docs. Shiki, which VitePress brings, takes seventy times as
 * long for the blocks of all pages, writes three times the HTML, with a style on every token, and is
 * too large for the request console, which uses this module in the browser.
 */
const grammars: Record<string, [token: string, pattern: RegExp][]> = {
  json: [
    ['key', /"(?:[^"\\]|\\.)*"(?=\s*:)/],
    ['string', /"(?:[^"\\]|\\.)*"/],
    ['literal', /-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b/],
  ],
  sh: [
    ['comment', /(?<=^|\s)#.*/m],
    ['string', /'[^']*'|"(?:[^"\\]|\\.)*"/],
    ['keyword', /(?<=^|\n)(?:curl|npm|npx|node)\b/],
    ['literal', /(?<=\s)-{1,2}[A-Za-z][\w-]*/],
  ],
  ts: [
    ['comment', /\/\/.*|\/\*[\s\S]*?\*\//],
    ['string', /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/],
    [
      'keyword',
      /\b(?:async|await|catch|const|do|else|export|for|function|if|import|from|let|new|return|throw|try|type(?!:)|typeof|while)\b/,
    ],
    ['literal', /\b\d[\d_.]*\b|\b(?:true|false|null|undefined|NaN)\b/],
  ],
  python: [
    ['comment', /#.*/],
    ['string', /"(?:[^"\\\n]|\\.)*"/],
    ['keyword', /\b(?:def|for|from|if|import|in|return|while)\b/],
    ['literal', /\b\d[\d_.]*\b|\b(?:True|False|None)\b/],
  ],
}

const aliases: Record<string, string> = { bash: 'sh', shell: 'sh', typescript: 'ts', js: 'ts' }

/** The code as HTML, with a `span` around each token that has a color. */
export function highlight(source: string, language: string): string {
  const grammar = grammars[aliases[language] ?? language]
  if (!grammar) return escapeHtml(source)
  const patterns = grammar.map(([token, pattern]) => `(?<${token}>${pattern.source})`)
  const html: string[] = []
  let end = 0
  for (const match of source.matchAll(new RegExp(patterns.join('|'), 'gm'))) {
    const [token] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? []
    html.push(escapeHtml(source.slice(end, match.index)))
    html.push(`<span class="t-${token}">${escapeHtml(match[0])}</span>`)
    end = match.index + match[0].length
  }
  return [...html, escapeHtml(source.slice(end))].join('')
}

/** A block of code as VitePress writes it, so that its copy button and its styles apply. */
export function codeBlock(source: string, language: string): string {
  const copy = '<button type="button" title="Copy code" class="copy"></button>'
  const label = `<span class="lang">${language}</span>`
  return `<div class="language-${language}">${copy}${label}${preBlock(source, language)}</div>`
}

/** The code alone; it scrolls sideways, so the keyboard must reach it. */
export function preBlock(source: string, language: string): string {
  const code = highlight(source.trimEnd(), language)
  return `<pre tabindex="0" v-pre><code>${code}</code></pre>`
}

export const jsonBlock = (value: unknown): string =>
  codeBlock(JSON.stringify(value, null, 2), 'json')
