import { join } from 'node:path'

const { CONSUMER_BUNDLE, CONSUMER_FOLDER = '.', CONSUMER_SERVICE = '' } = process.env
const output = (client: string) => ({ client, target: join(CONSUMER_FOLDER, `${client}.ts`) })

export default {
  fetch: { input: CONSUMER_BUNDLE, output: { ...output('fetch'), baseUrl: CONSUMER_SERVICE } },
  zod: { input: CONSUMER_BUNDLE, output: output('zod') },
}
