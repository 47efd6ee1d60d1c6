import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { root } from '../contract/contract.ts'
import { newestPath } from './newest-path.ts'

/**
 * Stays a module of its own: validators, which are loaded one by one, what the public entries
 * export, so that an error from `…/testing` is an instance of the class that the client exports, and
 * the service, which is bundled apart.
 */
const apart =
  /^(generated\/[^/]+\/validators\/|src\/(client|webhooks)\/|src\/index\.|src\/server\/serve\.)/

export const sharedModules: Plugin = {
  name: 'shared modules',
  setup({ onResolve }) {
    onResolve({ filter: /^(\.\.?|#contract)\// }, ({ path, resolveDir, kind }) => {
      const target = newestPath(path) ?? relative(root, join(resolveDir, path))
      if (kind === 'entry-point' || !apart.test(target)) return undefined
      return { path: `../../${target.replace(/\.ts$/, '.js')}`, external: true }
    })
  },
}

/** Packages that ours ask for in cases that never occur here. */
const neverUsed = [
  // Prism, to invent values, to read Postman collections and to fetch parts of documents.
  '@faker-js/faker',
  'postman-collection',
  'node-fetch',
  // Fastify, for routes with schemas, for requests without a port, and for HTTP/2.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  'node:http2',
]

export const withoutNeverUsed: Plugin = {
  name: 'never used',
  setup({ onResolve, onLoad }) {
    const namespace = 'never-used'
    onResolve({ filter: new RegExp(`^(${neverUsed.join('|')})$`) }, ({ path }) => {
      return { path, namespace }
    })
    onLoad({ filter: /.*/, namespace }, () => ({ contents: 'module.exports = {}' }))
  },
}

/**
 * Fastify asks at each start whether its plugins are made for its version. Those of a build are those
 * of its tests, and what compares versions takes as long to load as all the plugins.
 */
export const fittingVersions: Plugin = {
  name: 'fitting versions',
  setup({ onResolve, onLoad }) {
    const namespace = 'fitting-versions'
    onResolve({ filter: /^semver$/ }, ({ path, importer }) =>
      /node_modules\/fastify\//.test(importer) ? { path, namespace } : undefined,
    )
    onLoad({ filter: /.*/, namespace }, () => ({
      contents: 'module.exports = { satisfies: () => true }',
    }))
  },
}

/**
 * Modules of Node by `require`, and of each no more than what is used. An import, or a copy of the
 * whole module, would load everything that Node has behind it: undici with `node:http`, `node:assert`
 * with `node:util`, a quarter of the time to start.
 */
export const builtinsByRequire: Plugin = {
  name: 'modules of Node',
  setup({ onResolve, onLoad }) {
    const namespace = 'builtin'
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace, sideEffects: false } : undefined,
    )
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: exportsOf(path) }))
  },
}

/** One export for each name, so that those which nobody uses are left out. */
function exportsOf(path: string): string {
  const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter(isIdentifier)
  const named = names.map((name) => `export const ${name} = ${pure(`${requiring(path)}.${name}`)}`)
  return [...named, `export default ${pure(requiring(path))}`].join('\n')
}

const isIdentifier = (name: string): boolean =>
  /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default'

const pure = (expression: string): string => `/* @__PURE__ */ (() => ${expression})()`

/** A Node without SQLite has to load the module, which then reports the missing support. */
const requiring = (path: string): string =>
  path === 'node:sqlite' ? `(process.getBuiltinModule?.('${path}') ?? {})` : `require('${path}')`
