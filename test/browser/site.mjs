// Checks the site that make docs builds in headless Chromium:
//
//	node site.mjs SITE [SCREENSHOTS]
//
// Each page must load without errors and ask nothing of a network; some of each kind
// must fit a phone and pass axe's rules in light and dark.
import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch, views, violations } from './common.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const [site, shots = join(here, '../../out/browser')] = process.argv.slice(2)
const looked = ['index.html', 'tutorial.html', 'compiles.html', 'guides/systems.html', 'reference/features.html', 'rules/quota.html']
const failures = []

const server = createServer((request, answer) => {
  try {
    const path = new URL(request.url, 'http://x').pathname
    answer.setHeader('Content-Type', path.endsWith('.css') ? 'text/css' : 'text/html')
    answer.end(readFileSync(join(site, path)))
  } catch { answer.writeHead(404).end() }
})
await new Promise(done => server.listen(0, '127.0.0.1', done))
const address = path => `http://127.0.0.1:${server.address().port}/${path}`

mkdirSync(shots, { recursive: true })
const pages = readdirSync(site, { recursive: true }).filter(p => p.endsWith('.html'))
const browser = await launch()
for (const { colorScheme, width, where } of views) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  let path
  const fail = what => failures.push(`${path}, ${where}: ${what}`)
  page.on('console', m => { if (['error', 'warning'].includes(m.type())) fail(m.text()) })
  page.on('pageerror', fail)
  page.on('request', r => { if (!r.url().startsWith(address('')) && !r.url().startsWith('data:')) fail(`asks for ${r.url()}`) })
  for (path of colorScheme === 'light' && width === 1280 ? pages : looked) {
    await page.goto(address(path))
    if (!looked.includes(path)) continue
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (wide > 0) fail(`${wide} pixels wider than the window`)
    for (const v of await violations(page)) fail(v)
    await page.screenshot({ path: join(shots, `site-${path.replace(/\W/g, '-')}-${width}-${colorScheme}.png`) })
  }
  await page.close()
}
await browser.close()
server.close()
for (const f of failures) console.error(f)
console.log(`${pages.length} pages of the site, ${looked.length} of them looked at in ${views.length} ways: ${failures.length} failures`)
process.exit(failures.length ? 1 : 0)
