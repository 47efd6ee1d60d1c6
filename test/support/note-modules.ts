import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Preloaded into a program: writes the URLs of the modules that it has loaded, once it ends.

const urls: string[] = []
registerHooks({
  load(url, context, next) {
    urls.push(url)
    return next(url, context)
  },
})
process.on('exit', () => writeFileSync(process.env['MODULES_FILE'] as string, JSON.stringify(urls)))
