// Checks kfpgo ui in headless Chromium, as people use it:
//
//	node ui.mjs KFPGO HOME PIPELINE [SCREENSHOTS]
//
// KFPGO is the command, HOME a folder with the sample runs of internal/local/ui, and PIPELINE
// the package live. The pages must load without errors and ask no other site, pass axe's
// rules and fit their widths in light and dark, show a run as it goes on, be usable with
// the keyboard alone and readable without scripts; and whatever the hostile run of the
// sample has in its files and names must stay inert.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const here = dirname(fileURLToPath(import.meta.url))
const [kfpgo, home, pipeline, shots = join(here, '../../out/browser')] = process.argv.slice(2)
if (!pipeline) {
  console.error('usage: node ui.mjs KFPGO HOME PIPELINE [SCREENSHOTS]')
  process.exit(2)
}
mkdirSync(shots, { recursive: true })
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const failures = []
const check = (ok, what) => { if (!ok && !failures.includes(what)) failures.push(what) }
const runs = () => readdirSync(join(home, 'runs'))
const run = name => runs().find(r => r.startsWith(name))
const sleep = ms => new Promise(done => setTimeout(done, ms))
const children = []

// start starts kfpgo and returns what it says, as it grows.
function start(...args) {
  const child = spawn(resolve(kfpgo), args, { env: { ...process.env, KFPGO_HOME: resolve(home) } })
  const said = { text: '', child }
  child.stdout.on('data', d => { said.text += d })
  child.stderr.on('data', d => { said.text += d })
  said.ended = new Promise(done => child.on('exit', code => { said.code = code; done(code) }))
  children.push(said)
  return said
}

async function until(what, f, ms = 30_000) {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) {
    const got = await f()
    if (got) return got
  }
  check(false, `${what}: it didn't come in ${ms / 1000} s`)
}

const ui = start('ui', '--listen', '127.0.0.1:0')
const open = await until('the address', () => /http:\S+/.exec(ui.text)?.[0])
const origin = new URL(open).origin

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync),
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})

// watch complains about errors of a page, scripts of the data, and other sites.
function watch(page, where) {
  page.setDefaultTimeout(30_000)
  page.on('console', m => {
    // What Chromium has to say when the policy stops what a file wanted to do is the policy at work.
    const stopped = /sandboxed|Content Security Policy/.test(m.text()) && where.startsWith('hostile')
    if (['error', 'warning'].includes(m.type()) && !stopped) check(false, `${where}: console: ${m.text()}`)
  })
  page.on('pageerror', e => check(false, `${where}: ${e}`))
  page.on('dialog', d => { check(false, `${where}: a script of the data ran: ${d.message()}`); d.dismiss() })
  const ours = r => r.url().startsWith(origin + '/') || r.url().startsWith('data:')
  page.on('requestfinished', r => check(ours(r), `${where}: the page has ${r.url()}`))
  page.on('requestfailed', r => check(ours(r) || /csp/i.test(r.failure().errorText), `${where}: the page asks for ${r.url()}: ${r.failure().errorText}`))
  page.on('popup', () => check(false, `${where}: a window opened`))
  return page
}

const task = (id, path) => `/runs/${id}/task?path=${encodeURIComponent(path)}`
const artifact = (id, path, port, file) => `/runs/${id}/artifact?` + new URLSearchParams({ path, port, ...(file ? { file } : {}) })

try {
  const first = await browser.newContext()
  const entrance = watch(await first.newPage(), 'opening')
  await entrance.goto(open)
  await entrance.waitForURL(origin + '/')
  check(await entrance.locator('h1').innerText() === 'Runs', 'the address does not lead to the runs')
  const storageState = await first.storageState()
  const stranger = await (await browser.newContext()).newPage()
  check((await stranger.goto(origin + '/')).status() === 401, 'a browser that has not opened the address sees the runs')
  check((await stranger.goto(open)).status() === 403, 'the address opens twice')

  // All kinds of pages, at two widths, in light and dark.
  const pets = run('pets-20261128T020000'), pets2 = run('pets-20261128T023000'), hostile = run('hostile-')
  const pages = {
    list: '/', run: `/runs/${pets}`, failed: `/runs/${hostile}`, task: task(pets, 'train'), hostile: task(hostile, 'step'),
    compare: `/compare?run=${pets}&run=${pets2}`, log: `/runs/${hostile}/log?path=step`, lineage: artifact(pets, 'train', 'model'),
    folder: artifact(hostile, 'step', 'folder'), table: artifact(hostile, 'step', 'table', 'rows.csv'), picture: artifact(hostile, 'step', 'picture'),
    html: artifact(hostile, 'step', 'page', 'report.html'), markdown: artifact(hostile, 'step', 'notes', 'notes.md'), svg: artifact(hostile, 'step', 'drawing', 'curve.svg'),
    schedules: '/schedules', start: `/runs/${pets}/start`,
  }
  let looked = 0
  for (const [colorScheme, width, look] of [['light', 1280, true], ['dark', 400, true], ['dark', 1280, false]]) {
    {
      // The pages forbid scripts that are not theirs; axe is one.
      for (const bypassCSP of look ? [false, true] : [true]) {
        const context = await browser.newContext({ storageState, viewport: { width, height: 900 }, colorScheme, bypassCSP })
        const page = await context.newPage()
        let at = ''
        watch(page, `hostile and others, ${width} pixels, ${colorScheme}`)
        for (const [name, path] of Object.entries(pages)) {
          if (bypassCSP && ['html', 'markdown', 'svg'].includes(name)) continue // without the policy the sandbox alone holds: see below
          at = `${name}, ${width} pixels, ${colorScheme}`
          await page.goto(origin + path)
          if (!bypassCSP) {
            await page.screenshot({ path: join(shots, `ui-${name}-${width}-${colorScheme}.png`), fullPage: true })
            const scroll = await page.evaluate(() => document.scrollingElement.scrollWidth)
            check(scroll <= width, `${at}: the page is ${scroll} pixels wide`)
            check(await page.evaluate(() => !('pwned' in globalThis)), `${at}: a script of the data ran`)
            looked++
          } else {
            await page.evaluate(axe)
            const result = await page.evaluate(() => globalThis.axe.run())
            for (const v of result.violations) {
              check(false, `${at}: axe: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' ' + n.failureSummary).join(' | ')}`)
            }
          }
        }
        await context.close()
      }
    }
  }

  // What a step has left, opened by itself, has no rights either.
  {
    const context = await browser.newContext({ storageState })
    const page = watch(await context.newPage(), 'hostile files by themselves')
    for (const file of ['page/report.html?as=page', 'drawing/curve.svg', 'notes/notes.md?as=page']) {
      await page.goto(`${origin}/runs/${hostile}/files/artifacts/step/${file}`)
      await sleep(300)
      check(page.url().includes('/files/'), `${file}: it led to ${page.url()}`)
      check(await page.evaluate(() => self.origin) === 'null', `${file}: it has the origin of the pages`)
    }
    await context.close()
  }

  // Another site can't use the pages, though the browser has a cookie for them.
  {
    const context = await browser.newContext({ storageState })
    const page = await context.newPage()
    await page.route('http://other.example/', route => route.fulfill({ contentType: 'text/html', body: '<h1>another site</h1>' }))
    await page.goto('http://other.example/')
    const answer = await page.evaluate(async at => {
      const read = await fetch(at + '/', { credentials: 'include' }).then(() => 'read', () => 'refused')
      const framed = await new Promise(done => { const f = document.createElement('iframe'); f.src = at + '/'; f.onload = () => done(f.contentDocument ? 'same' : 'other'); document.body.append(f) })
      return { read, framed }
    }, origin)
    check(answer.read === 'refused', 'another site reads the list of runs')
    check(page.frames().slice(1).every(f => !f.url().startsWith(origin)), 'another site has the pages in a frame')
    await context.close()
  }

  // Without scripts everything can be read.
  {
    const context = await browser.newContext({ storageState, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${origin}/runs/${pets}`)
    check(await page.locator('.picture svg a:visible').count() === 3, 'without scripts the picture has not 3 tasks')
    await page.locator('.times a').first().click()
    check((await page.locator('h1').innerText()).startsWith('load'), 'without scripts a task has no page')
    await context.close()
  }

  // A run that another process has started is seen as it goes on.
  {
    const context = await browser.newContext({ storageState })
    const page = watch(await context.newPage(), 'live')
    await page.goto(origin + '/')
    const before = new Set(runs())
    const going = start('run', pipeline, '-p', 'fail=true', '-p', 'lines=60')
    const id = await until('the folder of the run', () => runs().find(r => !before.has(r) && existsSync(join(home, 'runs', r, 'run.json'))), 120_000)
    await page.goto(`${origin}/runs/${id}`)
    await page.locator('#part-facts .pill', { hasText: 'running' }).waitFor()
    await page.locator('.wide .box.s-running', { hasText: 'write' }).waitFor()
    await page.screenshot({ path: join(shots, 'ui-live-1280.png'), fullPage: true })
    await page.locator('.times a', { hasText: 'write' }).click()
    const log = page.locator('pre[data-log]')
    await log.filter({ hasText: 'line 3, <b>as it goes</b>' }).waitFor()
    await log.filter({ hasText: 'line 60,' }).waitFor()
    check((await page.locator('pre.log').innerText()).trim().split('\n').length === 60, 'the log has not each line once')
    await page.locator('#part-taskhead .pill', { hasText: 'succeeded' }).waitFor()
    await page.goBack()
    await page.locator('#part-facts .pill', { hasText: 'failed' }).waitFor()
    await page.locator('.wide .box.s-failed', { hasText: 'count' }).waitFor()
    await going.ended
    check(going.code === 1, `the run that was told to fail ended with ${going.code}`)

    // With the keyboard alone: from the run to the form, and a new run of it.
    const focus = async (what, f) => {
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press('Tab')
        if (await page.evaluate(f)) return
      }
      check(false, `keyboard: ${what} can't be reached`)
    }
    await page.goto(`${origin}/runs/${id}`)
    await page.keyboard.press('Tab')
    check(await page.evaluate(() => document.activeElement.className === 'skip'), 'keyboard: the first stop is not the link to the content')
    await focus('Resume', () => document.activeElement.textContent === 'Resume')
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle)
    check(outline !== 'none', 'keyboard: where the focus is is not seen')
    await page.keyboard.press('Enter')
    await page.waitForURL(/start\?how=resume/)
    await focus('the parameter fail', () => document.activeElement.name === 'param.fail')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('false')
    await focus('the button', () => document.activeElement.type === 'submit')
    await page.keyboard.press('Enter')
    await page.waitForURL(u => u.pathname.startsWith('/runs/') && !u.pathname.endsWith('/start'), { timeout: 90_000 })
    const again = new URL(page.url()).pathname.split('/')[2]
    check(again !== id, 'the run that was resumed is no new one')
    await page.locator('#part-facts .pill', { hasText: 'succeeded' }).waitFor()
    check((await page.locator('#part-ends').innerText()).includes('words'), 'the outputs of the new run are not there')
    const record = JSON.parse(readFileSync(join(home, 'runs', again, 'run.json'), 'utf8'))
    check(record.params.fail === false && record.params.lines === 60, `the new run has the parameters ${JSON.stringify(record.params)}`)

    // Two runs beside each other, chosen in the list.
    await page.goto(origin + '/')
    await page.getByLabel(`Compare ${id}`).check()
    await page.getByLabel(`Compare ${again}`).check()
    await page.getByRole('button', { name: 'Compare chosen runs' }).click()
    check((await page.locator('tr.different', { hasText: 'fail' }).first().innerText()).includes('true'), 'what differs is not seen')
    await context.close()
  }
  console.log(`${looked} pages at 1280 and 400 pixels; a live run, one that was resumed with the keyboard; screenshots in ${shots}`)
} catch (e) {
  for (const c of browser.contexts()) for (const p of c.pages()) await p.screenshot({ path: join(shots, 'ui-failed.png') }).catch(() => {})
  check(false, String(e.stack))
} finally {
  await browser.close()
  for (const c of children) if (c.code === undefined) c.child.kill('SIGTERM')
  await ui.ended
}
for (const f of failures) console.error(f)
if (failures.length > 0) process.exit(1)
