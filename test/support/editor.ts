import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../../scripts/contract/contract.ts'

/** What an editor shows at a place in a program. */
export interface Shown {
  /** The first lines: what it is, with its type. */
  type: string
  /** What the documentation says, its tags included. */
  docs: string
}

/** A program in an editor, which is asked about the text between `⟦` and `⟧`. */
export function createEditor(): (code: string) => { shown: Shown; completions: string[] } {
  const file = join(root, 'test/contract/in-the-editor.ts')
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  let text = ''
  let version = 0
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : '0'),
    getScriptSnapshot: (name) => {
      const source = name === file ? text : ts.sys.readFile(name)
      return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source)
    },
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
  }
  const service = ts.createLanguageService(host)
  return (code) => {
    const place = code.indexOf('⟦')
    text = code.replace('⟦', '').replace('⟧', '')
    version++
    const info = service.getQuickInfoAtPosition(file, place)
    const offered = service.getCompletionsAtPosition(file, place, {})
    return {
      shown: {
        type: ts.displayPartsToString(info?.displayParts),
        docs: [info?.documentation, ...(info?.tags ?? []).map(({ text }) => text)]
          .map((parts) => ts.displayPartsToString(parts))
          .join('\n'),
      },
      completions: offered?.entries.map(({ name }) => name) ?? [],
    }
  }
}
