import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The first is Debian's Chromium without a window: a page in it takes less than half the processor time. */
const PLACES = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A package that carries a Chromium for Linux on x64. It is large, so only machines without a browser install it. */
const CARRIED = '@sparticuz/chromium'
const CARRIED_VERSION = '153.0.0'
const CARRIED_FOLDER = resolve('node_modules/.cache/switchyard', `chromium-${CARRIED_VERSION}`)

/** The browser of this machine, or one that a package carries. Undefined: tests that need one are skipped, and say so. */
const executablePath = PLACES.find((path) => path && existsSync(path)) ?? (await carriedBrowser())

export const hasBrowser = executablePath !== undefined
if (!hasBrowser) {
  const text =
    'Browser tests are skipped: install Chromium (on Debian: apt install chromium), or set CHROMIUM_PATH.'
  if (process.env['BROWSER_TESTS'] === 'required') throw new Error(text)
  process.stderr.write(`${text}\n`)
}

async function carriedBrowser(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  try {
    if (!existsSync(CARRIED_FOLDER)) installCarried()
    const entry = createRequire(join(CARRIED_FOLDER, 'package.json')).resolve(CARRIED)
    const { default: carried } = await import(entry)
    return await carried.executablePath()
  } catch {
    return undefined
  }
}

/** The folder gets its name when it is whole, since several workers may begin at once. */
function installCarried(): void {
  const folder = `${CARRIED_FOLDER}.${process.pid}`
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(join(folder, 'package.json'), '{"private": true}')
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${CARRIED}@${CARRIED_VERSION}`]
    execFileSync('npm', args, { cwd: folder, stdio: 'ignore', timeout: 120_000 })
    renameSync(folder, CARRIED_FOLDER)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * `hosts` leads addresses elsewhere: `{ 'shop.example.com:80': '127.0.0.1:4321' }`. `trusted` is an origin without TLS that the
 * browser takes for one with it.
 */
export function launchBrowser(
  hosts: Readonly<Record<string, string>> = {},
  trusted?: string,
): Promise<Browser> {
  if (!executablePath) throw new Error('no Chromium was found')
  const rules = Object.entries(hosts).map(([host, to]) => `MAP ${host} ${to}`)
  // Containers rarely give the rights for Chromium's own sandbox, or much shared memory. The pages are ours.
  const args = [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    `--host-resolver-rules=${rules.join(',')}`,
    ...(trusted ? [`--unsafely-treat-insecure-origin-as-secure=${trusted}`] : []),
  ]
  return chromium.launch({ executablePath, args })
}
