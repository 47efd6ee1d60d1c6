// Node reads the configuration itself; VitePress would bundle it, and everything that it imports, first.
const file = new URL('../config.ts', import.meta.url)
export default (await import(file.href)).config
