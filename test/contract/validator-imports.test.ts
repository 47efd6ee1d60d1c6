import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generatedFolder, generatedFor } from '../../scripts/contract/contract.ts'
import { importsOf, loadedBy } from '../../scripts/validators/module-graph.ts'
import { callsIn, functionsIn } from '../support/imports.ts'
import { subjectsOf } from '../support/json-schema.ts'

describe.each(generatedFor)('the validators of %s', (version) => {
  const folder = join(generatedFolder(version), 'validators')
  const fileOf = (name: string): string => join(folder, `${name}.js`)

  /** The compiled functions of an operation's own bodies: what its file hands to `validator`. */
  const ownFunctions = (operation: string): string[] => {
    const source = readFileSync(fileOf(operation), 'utf8')
    return [...source.matchAll(/validator\((validate_\w+)/g)].map(([, name]) => name!)
  }

  const files = [...new Set(subjectsOf(version).map(({ file }) => file))]
  const operations = files.filter((file) => file !== 'webhooks')
  const bodies = operations.map((operation) => [operation, ownFunctions(operation)] as const)

  test.each(operations)('of %s come with those of no other operation', (operation) => {
    const loaded = new Set(loadedBy(fileOf(operation)).flatMap(functionsIn))
    // Bodies that are equal have one function.
    const own = bodies.find(([name]) => name === operation)![1]
    for (const [other, functions] of bodies) {
      expect(functions).toHaveLength(2)
      const present = functions.filter((name) => loaded.has(name))
      expect([other, present]).toEqual([other, functions.filter((name) => own.includes(name))])
    }
  })

  test('of all components come with those of every operation', () => {
    const loaded = loadedBy(fileOf('components')).flatMap(functionsIn)
    for (const [, functions] of bodies) expect(loaded).toEqual(expect.arrayContaining(functions))
  })

  test.each([...files, 'components'])('of %s need nothing but their folder', (name) => {
    for (const file of loadedBy(fileOf(name))) {
      expect(relative(folder, file)).not.toMatch(/^\.\./)
      const foreign = importsOf(file).filter(
        (specifier) => !/^\.{1,2}\/[\w./]+\.js$/.test(specifier),
      )
      expect(foreign).toEqual([])
      const calls = callsIn(file)
      for (const call of ['import', 'require', 'eval', 'Function'])
        expect(calls).not.toContain(call)
    }
  })
})
