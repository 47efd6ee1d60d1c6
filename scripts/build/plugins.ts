import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { root } from '../contract.ts'

/**
 * Stays a module of its own: validators, which are loaded one by one, and what the public entries
 * export, so that an error from `…/testing` is an instance of the class that the client exports.
 */
const apart = /^(generated\/[^/]+\/validators\/|src\/(client|webhooks)\/|src\/index\.)/

export const sharedModules: Plugin = {
  name: 'shared modules',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const target = relative(root, join(resolveDir, path))
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
  // @fastify/static, to list files that wildcards name.
  'glob',
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
 * Modules of Node by `require`: imported, each has all its exports read at once, and `node:http`
 * then loads the whole of undici, a sixth of the time to start.
 */
export const builtinsByRequire: Plugin = {
  name: 'modules of Node',
  setup({ onResolve, onLoad }) {
    const namespace = 'builtin'
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace } : undefined,
    )
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: requiring(path) }))
  },
}

/** A Node that has no SQLite has to load the module in order to be refused by it. */
const requiring = (path: string): string =>
  path === 'node:sqlite'
    ? `module.exports = process.getBuiltinModule?.('${path}') ?? {}`
    : `module.exports = require('${path}')`
