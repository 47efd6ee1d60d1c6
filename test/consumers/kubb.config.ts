import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { pluginZod } from '@kubb/plugin-zod'

// It stands in for a fault of Kubb: `faults.ts`.
const mapper = { ip_address: 'z.union([z.ipv4(), z.ipv6(), z.null()]).optional()' }

export default defineConfig({
  root: process.env['CONSUMER_FOLDER'] ?? '.',
  input: { path: process.env['CONSUMER_BUNDLE'] ?? '' },
  output: { path: '.', format: false, lint: false },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: 'types' } }),
    pluginZod({ output: { path: 'zod' }, version: '4', mapper }),
    pluginClient({ output: { path: 'client' }, client: 'fetch' }),
  ],
})
