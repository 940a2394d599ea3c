import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser of this machine. Undefined: tests that need one are skipped, and say so. */
const executablePath = PLACES.find((path) => path && existsSync(path))

export const hasBrowser = executablePath !== undefined
if (!hasBrowser) process.stderr.write('Browser tests are skipped: install Chromium, or set CHROMIUM_PATH.\n')

/** `hosts` leads addresses elsewhere: `{ 'shop.example.com:80': '127.0.0.1:4321' }`. */
export function launchBrowser(hosts: Readonly<Record<string, string>> = {}): Promise<Browser> {
  if (!executablePath) throw new Error('no Chromium was found')
  const rules = Object.entries(hosts).map(([host, to]) => `MAP ${host} ${to}`)
  // Containers rarely give the rights for Chromium's own sandbox, or much shared memory. The pages are ours.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', `--host-resolver-rules=${rules.join(',')}`]
  return chromium.launch({ executablePath, args })
}
