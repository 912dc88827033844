// Checks the report.html of a run in headless Chromium, as a reader sees it:
//
//	node report.mjs RUNDIR [SCREENSHOTS]
//
// The page must load without errors and without asking anything of a network,
// show the numbers of run.json, fit a phone, and pass axe's rules in light and
// dark. Screenshots go to the second folder, out/browser if there is none. CHROMIUM
// is the browser to use.
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { launch, views, violations } from './common.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const [dir, shots = join(here, '../../out/browser')] = process.argv.slice(2)
if (!dir) {
  console.error('usage: node report.mjs RUNDIR [SCREENSHOTS]')
  process.exit(2)
}
const file = resolve(dir, 'report.html')
const run = JSON.parse(readFileSync(resolve(dir, 'run.json'), 'utf8'))
const address = pathToFileURL(file).href

const failures = []
const check = (ok, what) => { if (!ok) failures.push(what) }

// matrices returns the confusion matrices of run.json in the order of the page.
function matrices() {
  const unwrap = v => v?.struct ?? v?.structValue ?? v?.list ?? v
  const found = []
  for (const task of run.tasks) {
    for (const port of Object.keys(task.writes ?? {}).sort()) {
      for (const artifact of task.writes[port]) {
        const matrix = unwrap(artifact.metadata?.confusionMatrix)
        const groups = ['branches', 'condition', 'loop', 'guarded', 'pipeline']
        if (matrix && !groups.includes(task.kind)) found.push(unwrap(matrix.rows).map(r => r.row ?? r))
      }
    }
  }
  return found
}

// content checks that the page says what run.json says.
async function content(page) {
  check(await page.locator('h1').innerText() === (run.title || run.pipeline), 'the heading is not the name of the pipeline')
  check((await page.locator('.top .pill').innerText()).toUpperCase() === run.state, `the state shown is not ${run.state}`)
  check(await page.evaluate(() => document.scripts.length) === 0, 'the page has scripts')
  const want = matrices()
  const got = await page.locator('table.matrix').evaluateAll(tables => tables.map(t =>
    [...t.tBodies[0].rows].map(r => [...r.cells].filter(c => c.tagName === 'TD').map(c => Number(c.textContent)))))
  check(JSON.stringify(got) === JSON.stringify(want), `the confusion matrices are ${JSON.stringify(got)}, and in run.json ${JSON.stringify(want)}`)
  const cells = await page.locator('table.matrix td').count()
  if (run.pipeline === 'mnist') check(cells === 100, `the matrix has ${cells} cells instead of 100`)
  for (const scope of await page.locator('th').evaluateAll(ths => ths.map(th => th.scope))) {
    check(scope === 'col' || scope === 'row', 'a header of a table has no scope')
  }
  return cells
}

// link follows a task of the graph to its details, which must then be open.
async function link(page) {
  const first = page.locator('.picture svg:visible a').first()
  if (await first.count() === 0) return
  const target = (await first.getAttribute('href')).slice(1)
  await first.click()
  await page.waitForTimeout(100)
  check(await page.locator(`[id="${target}"]`).isVisible(), `a click in the graph doesn't show #${target}`)
}

const browser = await launch()
let cells = 0
try {
  mkdirSync(shots, { recursive: true })
  for (const { colorScheme, width, where } of views) {
    // The page forbids scripts; axe is one.
    for (const bypassCSP of [false, true]) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP })
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      page.on('console', m => ['error', 'warning'].includes(m.type()) && check(false, `${where}: console: ${m.text()}`))
      page.on('pageerror', e => check(false, `${where}: ${e}`))
      page.on('dialog', d => { check(false, `${where}: a script of the data ran: ${d.message()}`); d.dismiss() })
      page.on('request', r => check(r.url() === address || r.url().startsWith('data:'), `${where}: the page asks for ${r.url()}`))
      await page.goto(address)
      if (!bypassCSP) {
        await page.screenshot({ path: join(shots, `report-${width}-${colorScheme}.png`), fullPage: true })
        cells = await content(page)
        await link(page)
        await page.locator('details').evaluateAll(all => all.forEach(d => { d.open = true }))
        const scroll = await page.evaluate(() => document.scrollingElement.scrollWidth)
        check(scroll <= width, `${where}: the page is ${scroll} pixels wide`)
        await page.screenshot({ path: join(shots, `report-${width}-${colorScheme}-open.png`), fullPage: true })
      } else {
        await page.locator('details').evaluateAll(all => all.forEach(d => { d.open = true }))
        for (const v of await violations(page)) check(false, `${where}: ${v}`)
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
}
for (const f of failures) console.error(f)
if (failures.length > 0) process.exit(1)
console.log(`${file}: ${cells} cells equal run.json's, at 1280 and 400 pixels, light and dark; screenshots in ${shots}`)
