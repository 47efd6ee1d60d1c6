import type { FastifyInstance } from 'fastify'
import { errorCatalogue } from '../../../generated/errors.ts'
import { versions } from '../../../generated/versions.ts'
import { type Html, html } from '../hosted/html.ts'
import {
  bundleFile,
  categoriesSchemaFile,
  institutionsSchemaFile,
  mappingSchemaFile,
  worldSchemaFile,
} from '../kernel/files.ts'
import { sendFile, staticFile } from './static-files.ts'

const bundles = [...Object.keys(versions).reverse(), 'platform', 'sandbox']
const documents = [
  ...bundles.map((name) => [`${name}.json`, bundleFile(name)] as const),
  ['world.schema.json', worldSchemaFile] as const,
  ['csv-mapping.schema.json', mappingSchemaFile] as const,
  ['institutions.schema.json', institutionsSchemaFile] as const,
  ['categories.schema.json', categoriesSchemaFile] as const,
]

/**
 * Stands in for the docs where they are not installed, at the same addresses: the start, the
 * OpenAPI documents, and the errors, which every error of the service links to.
 */
export function serveShortDocs(app: FastifyInstance): void {
  app.get('/', (_request, reply) => reply.redirect('/docs/'))
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'))
  const pages = { '/docs/': startPage, '/docs/errors': errorPage, '/docs/errors/': errorPage }
  for (const [path, make] of Object.entries(pages)) {
    let page: Buffer | undefined
    app.get(path, (_request, reply) => {
      page ??= Buffer.from(make())
      return reply.type('text/html; charset=utf-8').send(page)
    })
  }
  for (const [name, path] of documents) {
    const read = staticFile(path)
    app.get(`/docs/openapi/${name}`, async (request, reply) =>
      sendFile(request, reply, await read()),
    )
  }
}

const startPage = (): string =>
  page(
    'Financial Data Service',
    html`<p>The service runs. The docs site is not part of the installed package; this is what every
installation has:</p>
<ul>
${bundles.map((name) => html`<li>OpenAPI, <a href="openapi/${name}.json">${nameOf(name)}</a></li>\n`)}
<li><a href="openapi/world.schema.json">the JSON Schema of seed data</a>, for <code>--fixture</code></li>
<li><a href="openapi/csv-mapping.schema.json">the JSON Schema of CSV mappings</a>, for <code>statement --mapping</code></li>
<li><a href="openapi/institutions.schema.json">the JSON Schema of institutions</a>, for <code>--institutions</code></li>
<li><a href="openapi/categories.schema.json">the JSON Schema of categories</a>, for <code>--categories</code></li>
<li><a href="errors">every error code</a>, with what to do about it</li>
</ul>`,
  )

const nameOf = (bundle: string): string =>
  ['platform', 'sandbox'].includes(bundle) ? `the ${bundle} API` : `version ${bundle}`

function errorPage(): string {
  const entries = Object.values(errorCatalogue).map(
    ({ code, type, status, meaning, action }) =>
      html`<dt id="${code}"><code>${code}</code> <small>${type}, ${status}</small></dt>
<dd>${meaning}. ${action}</dd>\n`,
  )
  return page('Errors', html`<p><a href="./">Start</a></p>\n<dl>\n${entries}</dl>`)
}

const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 45rem; margin: 2rem auto; padding: 0 1rem }
dt { margin-top: 1rem } dt code { font-weight: bold }
</style>
<h1>${title}</h1>
${content}
</html>
`.html
