import { TextlintKernel, type TextlintKernelOptions } from '@textlint/kernel'
import { MarkdownProcessor } from '@textlint/textlint-plugin-markdown/lib/src/MarkdownProcessor.js'
import { runCommand } from '../../command.ts'
import { isMain, root } from '../../contract/contract.ts'
import { tell } from '../tell.ts'
import { sentences, words } from './rules.ts'
import { proseOf, type Text } from './texts.ts'

/** The most words of a sentence. */
const longest = 25

const kernel = new TextlintKernel()

const options: TextlintKernelOptions = {
  ext: '.md',
  plugins: [{ pluginId: 'markdown', plugin: { Processor: MarkdownProcessor } }],
  rules: [
    { ruleId: 'words', rule: words },
    { ruleId: 'sentences', rule: sentences(longest) },
  ],
}

/** Sentences and words to write in another way, with file and line. */
export async function proseMistakes(texts: readonly Text[]): Promise<string[]> {
  const found: string[] = []
  for (const { file, line, text, sameLines } of texts) {
    const { messages } = await kernel.lintText(text, options)
    for (const { loc, message } of messages) {
      found.push(`${file}:${sameLines ? line + loc.start.line - 1 : line}: ${message}`)
    }
  }
  return found
}

if (isMain(import.meta.filename)) {
  await runCommand(async () => tell(await proseMistakes(proseOf(root))))
}
