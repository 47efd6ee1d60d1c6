import { type Option, options } from '../../src/server/config/options.ts'

/** The options of the service as a Markdown table, in the words of its `--help`. */
export const optionTable = (): string =>
  ['| flag or variable | what it sets |', '|---|---|', ...options.map(row)].join('\n')

function row({ flag, value, variable, help }: Option): string {
  const names = [...(flag ? [`--${flag}${value ? ` ${value}` : ''}`] : []), variable]
  return `| ${names.map((name) => `\`${name}\``).join(' or ')} | ${help} |`
}
