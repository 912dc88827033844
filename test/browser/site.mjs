// Checks the site that make docs builds in headless Chromium:
//
//	node site.mjs SITE [SCREENSHOTS]
//
// Each page must load without errors and ask nothing of a network; some of each kind
// must fit a phone and pass axe's rules in light and dark.
import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const here = dirname(fileURLToPath(import.meta.url))
const [site, shots = join(here, '../../out/browser')] = process.argv.slice(2)
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const failures = []
const looked = ['index.html', 'tutorial.html', 'compiles.html', 'guides/systems.html', 'reference/features.html', 'rules/quota.html']

mkdirSync(shots, { recursive: true })
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] })
const server = createServer((request, answer) => {
  try {
    const path = new URL(request.url, 'http://x').pathname
    answer.setHeader('Content-Type', path.endsWith('.css') ? 'text/css' : 'text/html')
    answer.end(readFileSync(join(site, path)))
  } catch { answer.writeHead(404).end() }
})
await new Promise(done => server.listen(0, '127.0.0.1', done))
const address = path => `http://127.0.0.1:${server.address().port}/${path}`
const pages = readdirSync(site, { recursive: true }).filter(p => p.endsWith('.html'))
for (const scheme of ['light', 'dark']) {
  for (const width of [1280, 400]) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme })
    const page = await context.newPage()
    let path
    page.on('console', m => { if (['error', 'warning'].includes(m.type())) failures.push(`${path}: ${m.text()}`) })
    page.on('pageerror', e => failures.push(`${path}: ${e}`))
    page.on('request', r => { if (!r.url().startsWith(address('')) && !r.url().startsWith('data:')) failures.push(`${path}: asks for ${r.url()}`) })
    for (path of scheme === 'light' && width === 1280 ? pages : looked) {
      await page.goto(address(path))
      if (!looked.includes(path)) continue
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      if (wide > 0) failures.push(`${path}: ${wide} px wider than a window of ${width}`)
      await page.evaluate(axe)
      const { violations } = await page.evaluate(() => axe.run())
      for (const v of violations) failures.push(`${path}, ${width} px, ${scheme}: ${v.id}: ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' | ')}`)
      if (scheme === 'light' || path === 'tutorial.html') await page.screenshot({ path: join(shots, `site-${path.replace(/\W/g, '-')}-${width}-${scheme}.png`) })
    }
    await context.close()
  }
}
await browser.close()
server.close()
for (const f of failures) console.error(f)
console.log(`${pages.length} pages of the site, ${looked.length} of them looked at in four ways, ${failures.length} failures`)
process.exit(failures.length ? 1 : 0)
