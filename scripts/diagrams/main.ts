import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../test/support/browser.ts'
import { chromiumHere } from '../../test/support/chromium.ts'
import { takeArguments } from '../command.ts'
import { root } from '../contract/contract.ts'
import { drawingSettings } from '../docs/diagram-settings.ts'
import {
  type Diagram,
  diagramFile,
  diagramFolder,
  diagramStyle,
  everyDiagram,
} from '../docs/diagrams.ts'

const mermaid = createRequire(import.meta.url).resolve('@mermaid-js/tiny')

/** Draws the diagrams whose source is newer than their SVG file, in Chromium. */
async function main(): Promise<void> {
  const all = everyDiagram()
  const changed = all.filter((diagram) => !isDrawn(diagram))
  if (changed.length > 0) await drawAll(changed)
  const files = new Set(all.map(diagramFile))
  for (const file of globSync(`${diagramFolder}/*.svg`, { cwd: root })) {
    if (!files.has(file)) rmSync(join(root, file))
  }
  console.log(`diagrams: ${changed.length} of ${all.length} drawn`)
}

function isDrawn(diagram: Diagram): boolean {
  const [file] = globSync(diagramFile(diagram), { cwd: root })
  return file !== undefined && readFileSync(join(root, file), 'utf8').includes(diagram.hash)
}

async function drawAll(diagrams: Diagram[]): Promise<void> {
  const chromium = chromiumHere()
  if (!chromium) throw new Error('there is no Chromium at $CHROMIUM or /usr/bin/chromium')
  const browser = await launchBrowser(chromium)
  try {
    const page = await browser.newPage()
    await page.addScriptTag({ path: mermaid })
    for (const diagram of diagrams) {
      writeFileSync(join(root, diagramFile(diagram)), await draw(page, diagram))
      console.log(`diagrams: ${diagramFile(diagram)}`)
    }
  } finally {
    await browser.close()
  }
}

async function draw(page: Page, { name, source, hash }: Diagram): Promise<string> {
  const drawn = await page.evaluate(drawInPage, { name, source, hash, config: drawingSettings })
  return `${drawn.replace('>', `>\n<style>\n${diagramStyle()}\n</style>\n`)}\n`
}

/** In the browser: Mermaid's drawing without its style, since ours follows light and dark. */
async function drawInPage(input: {
  name: string
  source: string
  hash: string
  config: object
}): Promise<string> {
  // A script of the page has set it.
  const { mermaid } = globalThis as unknown as {
    mermaid: {
      initialize(config: object): void
      render(id: string, source: string): Promise<{ svg: string }>
    }
  }
  mermaid.initialize(input.config)
  const { svg } = await mermaid.render(input.name, input.source)
  const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const used = new Set([...svg.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id))
  for (const element of drawing.querySelectorAll('style, script, marker, symbol, filter, a')) {
    if (!used.has(element.id)) element.remove()
  }
  for (const element of drawing.querySelectorAll('defs:empty, g:empty')) element.remove()
  const named = new Set(
    ['aria-labelledby', 'aria-describedby'].map((name) => drawing.getAttribute(name)),
  )
  const idle = ['style', 'fill', 'stroke', 'stroke-width', 'font-family', 'alignment-baseline']
  for (const element of [drawing, ...drawing.querySelectorAll('*')]) {
    for (const name of idle) element.removeAttribute(name)
    // Two diagrams of a page must not share an id, so only those that are needed stay.
    if (!used.has(element.id) && !named.has(element.id)) element.removeAttribute('id')
    for (const { name } of [...element.attributes]) {
      if (name.startsWith('data-')) element.removeAttribute(name)
    }
  }
  const [, , width, height] = (drawing.getAttribute('viewBox') ?? '').split(' ')
  drawing.setAttribute('width', String(width))
  drawing.setAttribute('height', String(height))
  drawing.setAttribute('role', 'img')
  drawing.setAttribute('class', 'diagram-drawing')
  drawing.setAttribute('data-source', input.hash)
  return new XMLSerializer().serializeToString(drawing)
}

takeArguments(`usage: npm run diagrams
Draws the diagrams of the docs whose source is newer than their picture, in Chromium.`)
await main()
