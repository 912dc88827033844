// What the checks in headless Chromium have in common.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'

// Widths and schemes that pages are looked at in.
export const views = ['light', 'dark'].flatMap(colorScheme => [1280, 400].map(width => ({ colorScheme, width, where: `${width} pixels, ${colorScheme}` })))

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync),
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// violations returns what axe has against a page, which must allow scripts.
export async function violations(page) {
  await page.evaluate(axe)
  const result = await page.evaluate(() => globalThis.axe.run())
  return result.violations.map(v => `axe: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' ' + n.failureSummary).join(' | ')}`)
}
