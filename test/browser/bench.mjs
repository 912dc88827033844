// Checks the web page of examples/tf-serving-bench in headless Chromium, as a user
// goes through it:
//
//	node bench.mjs PROGRAM [SCREENSHOTS]
//
// It starts the program, which brings its stand-in servers along. What isn't an
// image, and one that would take too much memory, must be refused on the page; the
// Moon is uploaded and measured; the numbers shown must be those of the API. Started with a
// token, it must ask for that first. The pages
// must load without errors, ask for nothing elsewhere, fit a phone, and pass axe's rules.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import { launch, views, violations } from './common.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const [program, shots = join(here, '../../out/browser')] = process.argv.slice(2)
if (!program) {
  console.error('usage: node bench.mjs PROGRAM [SCREENSHOTS]')
  process.exit(2)
}
const failures = []
const check = (ok, what) => { if (!ok) failures.push(what) }

// chunk returns a part of a PNG.
function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length)
  frame.writeUInt32BE(crc32(body) >>> 0, 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

// png returns a grey image of a few bytes.
function png(width, height, data) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(data)), chunk('IEND', Buffer.alloc(0))])
}

const hostile = [
  { status: 415, says: 'neither a PNG nor a JPEG', file: { name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('<script>alert(1)</script>') } },
  { status: 415, says: 'the png can\'t be read', file: { name: '<img src=x onerror=alert(1)>.png', mimeType: 'image/png', buffer: png(64, 64, Buffer.alloc(9)) } },
  { status: 413, says: '60000 x 60000 pixels; 40 million are allowed', file: { name: 'bomb.png', mimeType: 'image/png', buffer: png(60000, 60000, Buffer.alloc(1 << 20)) } },
]
const moon = { name: 'moon.jpg', mimeType: 'image/jpeg', buffer: readFileSync(join(here, '../../examples/tf-serving-bench/moon.jpg')) }

let server, address

// start starts the program with arguments, in place of the one that runs.
async function start(...args) {
  server?.kill()
  server = spawn(resolve(program), ['-addr', '127.0.0.1:0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  address = await new Promise((done, failed) => {
    server.stdout.once('data', d => done(String(d).trim()))
    server.once('exit', code => failed(new Error(`${program} ended with ${code}`)))
  })
}
await start()

// open returns a new page, whose errors are failures.
async function open(browser, { colorScheme, width, where }, bypassCSP = false) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  page.on('console', m => {
    const refused = m.text().includes('status of 415') || m.text().includes('status of 401') || m.text().includes('status of 413') // the browser's own line for an answer that is wanted
    if (['error', 'warning'].includes(m.type()) && !refused) check(false, `${where}: console: ${m.text()}`)
  })
  page.on('pageerror', e => check(false, `${where}: ${e}`))
  page.on('dialog', d => { check(false, `${where}: a script of the data ran: ${d.message()}`); d.dismiss() })
  page.on('request', r => check(r.url().startsWith(address + '/') || r.url().startsWith('data:'), `${where}: the page asks for ${r.url()}`))
  return page
}

// look checks that a page fits, has no faults, and takes its picture.
async function look(browser, path, name) {
  for (const view of views) {
    const page = await open(browser, view)
    await page.goto(address + path)
    const scroll = await page.evaluate(() => document.scrollingElement.scrollWidth)
    check(scroll <= view.width, `${name}, ${view.where}: the page is ${scroll} pixels wide`)
    check(await page.evaluate(() => document.scripts.length) === 0, `${name}: the page has scripts`)
    await page.screenshot({ path: join(shots, `bench-${name}-${view.width}-${view.colorScheme}.png`), fullPage: true })
    await page.context().close()
    const bare = await open(browser, view, true) // the page forbids scripts; axe is one
    await bare.goto(address + path)
    for (const v of await violations(bare)) check(false, `${name}, ${view.where}: ${v}`)
    await bare.context().close()
  }
}

// upload sends a file as a user does.
async function upload(page, file, requests) {
  await page.goto(address + '/')
  await page.getByLabel('PNG or JPEG').setInputFiles(file)
  await page.getByLabel('Requests for each picture').fill(String(requests))
  const [answer] = await Promise.all([page.waitForResponse(r => r.request().method() === 'POST'), page.getByRole('button', { name: 'Measure', exact: true }).click()])
  await page.waitForLoadState()
  return answer.status()
}

// numbers checks that the tables say what the API says.
async function numbers(page, report) {
  const shown = await page.locator('section[aria-labelledby=pictures] tbody tr').evaluateAll(rows => rows.map(r => [...r.cells].map(c => c.innerText)))
  check(shown.length === report.pictures.length, `${shown.length} pictures are shown of ${report.pictures.length}`)
  let cells = 0
  report.servers.forEach((server, s) => shown.forEach((row, p) => {
    const text = row[5 + s]
    if (server.not_measured) return check(text === 'not measured', `${server.name}: ${text} is shown, and it was not measured`)
    const { p50_ms: p50, p99_ms: p99 } = server.cells[p]
    const [a, b] = text.split('\n')[0].split(' / ').map(Number)
    check(Math.abs(a - p50) <= p50 / 100 + 0.01 && Math.abs(b - p99) <= p99 / 100 + 0.01, `${server.name}: ${text} is shown for ${p50} and ${p99} ms`)
    cells++
  }))
  check(cells > 0, 'no server was measured')
  return cells
}

// login checks that a page with a token asks for it, and remembers who has given it.
async function login(browser) {
  const dir = mkdtempSync(join(tmpdir(), 'token-'))
  try {
    const token = 'a token of a test, which is long enough'
    writeFileSync(join(dir, 'token'), token)
    await start('-token-file', join(dir, 'token'))
    const page = await open(browser, views[0])
    await page.goto(address + '/')
    check(new URL(page.url()).pathname === '/login', `without the token ${page.url()} is shown`)
    const send = async text => {
      await page.getByLabel('Token').fill(text)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.waitForLoadState()
    }
    await send('another')
    const said = await page.getByRole('alert').innerText()
    check(said === 'This is not the token.', `for another token the page says ${said}`)
    await send(token)
    await page.getByRole('heading', { name: 'Servers', exact: true }).waitFor()
    check(new URL(page.url()).pathname === '/', `after the log in ${page.url()} is shown`)
    await page.context().close()
    await look(browser, '/login', 'login')
  } finally {
    rmSync(dir, { recursive: true })
  }
}

let cells = 0
const browser = await launch()
try {
  mkdirSync(shots, { recursive: true })
  const page = await open(browser, views[0])
  for (const h of hostile) {
    const status = await upload(page, h.file, 1)
    check(status === h.status, `${h.file.name}: status ${status}`)
    const said = await page.getByRole('alert').innerText()
    check(said.includes(h.says), `${h.file.name}: the page says ${said}`)
  }
  await page.screenshot({ path: join(shots, 'bench-refused-1280-light.png'), fullPage: true })
  check(await upload(page, moon, 2) === 303, 'the Moon was not taken')
  const result = new URL(page.url()).pathname
  check(result.startsWith('/results/'), `the report is at ${result}`)
  const { report } = await (await page.request.get(`${address}/api/reports/${result.split('/').pop()}`)).json()
  check(report.original.width === 2048 && report.original.name === 'moon.jpg', `the original is ${JSON.stringify(report.original)}`)
  cells = await numbers(page, report)
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  const lines = readFileSync(await csv.path(), 'utf8').trim().split('\n').length
  check(lines === 1 + report.servers.length * report.pictures.length, `the CSV has ${lines} lines`)
  await look(browser, '/', 'form')
  await look(browser, result, 'report')
  await page.context().close()
  await login(browser)
} finally {
  await browser.close()
  server.kill()
}
for (const f of failures) console.error(f)
if (failures.length > 0) process.exit(1)
console.log(`${address}: ${hostile.length} uploads refused, the Moon measured, a token asked for, ${cells} cells equal the API's, at 1280 and 400 pixels, light and dark; screenshots in ${shots}`)
