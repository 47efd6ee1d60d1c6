// Ends with 0 where the service of this container answers; plain JavaScript, as it is run often.
import { get } from 'node:http'

const end = (code) => process.exit(code)
get(
  { host: '127.0.0.1', port: process.env.PORT, path: '/livez', timeout: 2000 },
  ({ statusCode }) => end(statusCode === 200 ? 0 : 1),
)
  .on('error', () => end(1))
  .on('timeout', () => end(1))
