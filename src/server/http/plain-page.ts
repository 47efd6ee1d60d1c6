/** A page without scripts that loads nothing. `content` is HTML, and `style` more CSS. */
export const plainPage = (title: string, content: string, style = ''): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 45rem; margin: 2rem auto; padding: 0 1rem }
${style}</style>
<h1>${title}</h1>
${content}
</html>
`
