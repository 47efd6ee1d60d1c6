import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDashboard, dashboardSizes } from '../../scripts/build/dashboard.ts'
import { mostOfPage } from '../../scripts/build/sizes.ts'

const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
let inputs: string[] = []
beforeAll(async () => {
  inputs = await buildDashboard(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the built pages of the dashboard', () => {
  test('load at most 100 kB, gzipped, before each of them is shown', async () => {
    const sizes = Object.entries(await dashboardSizes())
    expect(sizes.length).toBeGreaterThanOrEqual(4)
    expect(sizes.filter(([, size]) => size > mostOfPage)).toEqual([])
    // Vue alone is 40 kB: what is smaller was not measured.
    expect(sizes.filter(([, size]) => size < 40_000)).toEqual([])
  })

  test('have no inline script or style, and name no other origin', () => {
    const html = readFileSync(join(folder, 'dashboard/index.html'), 'utf8')
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
    expect(addresses.length).toBeGreaterThanOrEqual(3)
    expect(addresses.filter((address) => !address?.startsWith('/dashboard/assets/'))).toEqual([])
  })

  test('have nothing of what helps to debug Vue, though they were built by a test', () => {
    const assets = join(folder, 'dashboard/assets')
    const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'))
    const texts = scripts.map((file) => readFileSync(join(assets, file), 'utf8'))
    expect(texts.filter((text) => text.includes('[Vue warn]'))).toEqual([])
  })

  test('name each file after its content', () => {
    const files = readdirSync(join(folder, 'dashboard/assets'))
    expect(files.filter((file) => !/-[\w-]{8}\.(js|css|svg)$/.test(file))).toEqual([])
  })

  test('tell which packages are in them, for the notices of their licenses', () => {
    expect(inputs.some((input) => input.startsWith('node_modules/vue-router/'))).toBe(true)
    expect(inputs.some((input) => input.startsWith('node_modules/@vue/'))).toBe(true)
  })
})
