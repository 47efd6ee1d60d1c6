/** A table of Markdown; numbers as one reads them. */
export const markdownTable = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

const cell = (value: string | number): string =>
  typeof value === 'string' ? value : value.toLocaleString('en', { maximumFractionDigits: 2 })
