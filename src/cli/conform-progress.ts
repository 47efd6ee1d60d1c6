import { escapeControls } from '../control-characters.ts'

/** Shows how far a run is. */
export interface Progress {
  onCase(done: number, all: number, name: string): void
  onWait(seconds: number): void
  /** Clears the line. */
  end(): void
}

const clear = '\r\u001b[K'

/** One line on a terminal, which the next one replaces. Standard error that is piped gets nothing. */
export function createProgress(output: NodeJS.WriteStream = process.stderr): Progress {
  const show = (text: string) => {
    if (!output.isTTY) return
    output.write(clear + escapeControls(text).slice(0, (output.columns || 80) - 1))
  }
  let counted = ''
  return {
    onCase(done, all, name) {
      counted = `${done + 1} of ${all}`
      show(`${counted}  ${name}`)
    },
    onWait: (seconds) =>
      show(`${counted}  the service limits requests: waiting ${seconds} seconds`),
    end() {
      if (output.isTTY) output.write(clear)
    },
  }
}
