import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse } from 'acorn'
import { describe, expect, test } from 'vitest'
import { generatedFolder, versions } from '../../scripts/contract.ts'
import { subjectsOf } from '../support/json-schema.ts'
import { importsOf, loadedBy } from '../support/imports.ts'

const folderOf = (version: string): string => join(generatedFolder(version), 'validators')

/** The compiled functions of an operation's own bodies, by what its file hands to `validator`. */
function ownFunctions(version: string, file: string): string[] {
  const source = readFileSync(join(folderOf(version), `${file}.js`), 'utf8')
  return [...source.matchAll(/validator\((validate\d+)/g)].map(([, name]) => name!)
}

/** The functions that stand at the top level of the files. */
function functionsIn(files: string[]): Set<string> {
  const names = files.flatMap((file) => {
    const { body } = parse(readFileSync(file, 'utf8'), { ecmaVersion: 2022, sourceType: 'module' })
    return body.flatMap((node) => (node.type === 'FunctionDeclaration' ? [node.id.name] : []))
  })
  return new Set(names)
}

describe.each(versions)('the validators of %s', (version) => {
  const folder = folderOf(version)
  const operations = [...new Set(subjectsOf(version).map(({ file }) => file))].filter((file) => {
    return file !== 'webhooks'
  })
  const bodies = operations.map((file) => [file, ownFunctions(version, file)] as const)

  test.each(operations)('of %s come with those of no other operation', (file) => {
    const loaded = functionsIn(loadedBy(join(folder, `${file}.js`)))
    for (const [other, functions] of bodies) {
      expect(functions).toHaveLength(2)
      const present = functions.filter((name) => loaded.has(name))
      expect([other, present]).toEqual([other, other === file ? functions : []])
    }
  })

  test.each([...operations, 'components'])('of %s import nothing outside their folder', (file) => {
    for (const loaded of loadedBy(join(folder, `${file}.js`))) {
      expect(relative(folder, loaded)).not.toMatch(/^\.\./)
      for (const { specifier, dynamic } of importsOf(loaded)) {
        expect([dynamic, specifier]).toEqual([false, expect.stringMatching(/^\.{1,2}\/[\w./]+\.js$/)])
      }
      expect(readFileSync(loaded, 'utf8')).not.toMatch(/\brequire\(|\bprocess\.|\beval\(|new Function/)
    }
  })
})
