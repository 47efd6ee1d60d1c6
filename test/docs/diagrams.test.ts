import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import {
  diagramFigure,
  diagramFile,
  diagramFolder,
  everyDiagram,
  readDiagram,
} from '../../scripts/docs/diagrams.ts'
import { html } from './site.ts'

const all = everyDiagram()
const source = 'flowchart LR\n  accTitle: T\n  accDescr: D.\n  a --> b\n'

describe('a diagram', () => {
  test.each(all)('"$title" is drawn from its present source, with words for it', (diagram) => {
    const svg = readFileSync(join(root, diagramFile(diagram)), 'utf8')
    expect(svg, 'run `npm run diagrams`').toContain(`data-source="${diagram.hash}"`)
    expect(svg).toContain(`>${diagram.title}</title>`)
    expect(svg).toMatch(/<desc [^>]*>\w.{80,}<\/desc>/)
  })

  test.each(all)('"$title" runs nothing and loads nothing', (diagram) => {
    const svg = readFileSync(join(root, diagramFile(diagram)), 'utf8')
    expect(svg).not.toMatch(/<(script|foreignObject|image|use|a)\b|\son\w+=|@import|href=/)
    const addresses = [...svg.matchAll(/url\(([^)]*)|https?:[^"' )]*/g)].map(([found]) => found)
    const own = /^url\(#|^http:\/\/www\.w3\.org\/(2000\/svg|1999\/xlink)$/
    expect(addresses.filter((address) => !own.test(address))).toEqual([])
  })

  test('is drawn once, and no drawing is left over', () => {
    const files = globSync(`${diagramFolder}/*.svg`, { cwd: root })
    expect(files.toSorted()).toEqual(all.map(diagramFile).toSorted())
  })

  test('stands on its page in the colors of the page', () => {
    const page = html('guides/keep-a-copy')
    expect(page).toContain('<figure class="diagram" tabindex="0"')
    expect(page).not.toMatch(/<svg[^>]*>\s*<style/)
  })

  test('without words for readers who do not see it is rejected', () => {
    expect(() => readDiagram(source.replace('accDescr', 'x'))).toThrow('accDescr')
    expect(readDiagram(source).name).toBe('t')
  })

  test('whose source is newer than its drawing stops the build of the docs', () => {
    const [first] = all
    expect(() => diagramFigure(`${first?.source}  %% changed\n`)).toThrow('npm run diagrams')
  })
})
