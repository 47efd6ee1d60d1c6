import type { TextlintRuleModule } from '@textlint/kernel'
import { vocabulary } from './vocabulary.ts'

/** Reports a word of the vocabulary, and what to write instead. Code, addresses and quotes are left out. */
export const words: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Str](node) {
    const text = getSource(node)
    for (const { avoid, instead } of vocabulary) {
      for (const { 0: found, index } of text.matchAll(avoid)) {
        const padding = locator.range([index, index + found.length])
        report(
          node,
          new RuleError(`"${found.replace(/\s+/g, ' ')}": write ${instead}`, { padding }),
        )
      }
    }
  },
})

/** Reports a sentence that is too long. A code span is one word, and a colon or semicolon ends no sentence. */
export const sentences =
  (longest: number): TextlintRuleModule =>
  (context) => {
    const { Syntax, RuleError, report, getSource, locator } = context
    const check = (node: Parameters<typeof report>[0]) => {
      // Of the same length, so that a sentence's place in it is its place in the file.
      const text = getSource(node)
        .replace(/`+[^`]*`+/g, (code) => 'C'.repeat(code.length))
        .replace(/\]\([^)]*\)/g, (address) => ' '.repeat(address.length))
        .replace(/[[\]*_|\n]/g, ' ')
      for (const { segment, index } of splitter.segment(text)) {
        const count = segment.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0
        if (count <= longest) continue
        const padding = locator.range([index, index + segment.trimEnd().length])
        report(
          node,
          new RuleError(`a sentence of ${count} words, at most ${longest}: split it`, { padding }),
        )
      }
    }
    return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check, [Syntax.Header]: check }
  }

const splitter = new Intl.Segmenter('en', { granularity: 'sentence' })
