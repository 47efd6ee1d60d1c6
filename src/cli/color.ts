const codes = { green: 32, red: 31, dim: 2 } as const

/** Colors a text that goes to a terminal; NO_COLOR, and a terminal without colors, get it as it is. */
export function paint(color: keyof typeof codes, text: string): string {
  const { NO_COLOR, TERM } = process.env
  if (!process.stdout.isTTY || NO_COLOR || TERM === 'dumb') return text
  return `\u001b[${codes[color]}m${text}\u001b[0m`
}

/** An HTTP status by its outcome. */
export const paintStatus = (status: number, text = String(status)): string =>
  paint(status >= 200 && status < 400 ? 'green' : 'red', text)
