import { serveMock } from './serve-mock.ts'

process.exitCode = await serveMock(process.argv.slice(2), 'npm run mock --')
