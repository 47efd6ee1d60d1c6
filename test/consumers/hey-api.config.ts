import { join } from 'node:path'

const { CONSUMER_BUNDLE, CONSUMER_FOLDER = '.' } = process.env

export default {
  input: CONSUMER_BUNDLE,
  output: join(CONSUMER_FOLDER, 'client'),
  logs: { file: false },
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/sdk', validator: true },
    '@hey-api/client-fetch',
    'zod',
  ],
}
