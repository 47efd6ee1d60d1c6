import { type Option, options } from '../../src/server/config.ts'

/** The options of the service as a Markdown table, in the words of its `--help`. */
export const optionTable = (): string =>
  ['| option | variable | what it sets |', '|---|---|---|', ...options.map(row)].join('\n')

function row({ flag, value, variable, help }: Option): string {
  const option = flag ? `\`--${flag}${value ? ` ${value}` : ''}\`` : ''
  return `| ${option} | \`${variable}\` | ${help} |`
}
