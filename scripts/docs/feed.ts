import { createHash } from 'node:crypto'
import { Feed } from 'feed'
import { interfaceTitle, versions } from '../contract/contract.ts'
import { base } from './base.ts'
import { changelogPath, changesOf, feedFile, stepTo } from './changelog-page.ts'
import { readReleases, releaseAnchor } from './releases.ts'
import type { Site } from './site.ts'

interface Entry {
  title: string
  /** Below the page of the changelog. */
  anchor: string
  date: string
  html: string
}

/** Stands in for the host while the feed is made, since its library takes whole addresses only. */
const host = 'http://docs.invalid'

/**
 * The changelog as an Atom feed. Its addresses have no host, since the site does not know where it
 * will be: RFC 4287 lets readers take them relative to the feed.
 */
export function changelogFeed(site: Site, render: (markdown: string) => string): string {
  const entries = [...ofVersions(site), ...ofReleases(render)]
  entries.sort((left, right) => right.date.localeCompare(left.date))
  const feed = new Feed({
    id: idOf('changelog'),
    title: `${interfaceTitle}: changelog`,
    link: host + base + changelogPath,
    feedLinks: { atom: host + base + feedFile },
    updated: new Date(entries[0]?.date ?? 0),
    generator: 'financial-data-service',
    author: { name: interfaceTitle },
  })
  for (const { title, anchor, date, html } of entries) {
    const link = `${host}${base}${changelogPath}#${anchor}`
    feed.addItem({ id: idOf(anchor), title, link, date: new Date(date), content: html })
  }
  return feed.atom1().replaceAll(host, '')
}

const ofVersions = (site: Site): Entry[] =>
  versions.map((version) => {
    const step = stepTo(site, version)
    const html = step ? changesOf(site, step) : '<p>The first version.</p>'
    return { title: `Version ${version} of the interface`, anchor: version, date: version, html }
  })

/** The releases that are out; one without a date would come again with each build. */
const ofReleases = (render: (markdown: string) => string): Entry[] =>
  readReleases().flatMap((release) => {
    const { version, date, markdown } = release
    if (!date) return []
    const title = `Release ${version} of the package`
    return [{ title, anchor: releaseAnchor(release), date, html: render(markdown) }]
  })

/** The same name has the same id in each build: a UUID of version 8 (RFC 9562) from its hash. */
function idOf(name: string): string {
  const bytes = createHash('sha256').update(`financial-data-service ${name}`).digest()
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x80
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)]
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}`
}
