import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, firefox } from 'playwright-core'

/** The vitest project `firefox` sets it. Tests are written once, and run in both browsers. */
export const isFirefox = process.env['TEST_BROWSER'] === 'firefox'

/** The first is Debian's Chromium without a window: a page in it takes less than half the processor time. */
const CHROMIUM_PLACES = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const FIREFOX_PLACES = [
  process.env['FIREFOX_PATH'],
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
]
/** Playwright starts it in place of Firefox. */
const FIREFOX = fileURLToPath(new URL('firefox.ts', import.meta.url))

/** A package that carries a Chromium for Linux on x64. It is large, so only machines without a browser install it. */
const CARRIED = '@sparticuz/chromium'
const CARRIED_VERSION = '153.0.0'
const CARRIED_FOLDER = resolve('node_modules/.cache/switchyard', `chromium-${CARRIED_VERSION}`)

/** The browser of this machine, or one that a package carries. Undefined: tests that need one are skipped, and say so. */
const executablePath =
  (isFirefox ? FIREFOX_PLACES : CHROMIUM_PLACES).find((path) => path && existsSync(path)) ??
  (isFirefox ? undefined : await carriedBrowser())

export const hasBrowser = executablePath !== undefined
if (!hasBrowser) {
  const text = isFirefox
    ? 'Tests in Firefox are skipped: install it (on Debian: apt install firefox-esr), or set FIREFOX_PATH.'
    : 'Browser tests are skipped: install Chromium (on Debian: apt install chromium), or set CHROMIUM_PATH.'
  const required = process.env[isFirefox ? 'FIREFOX_TESTS' : 'BROWSER_TESTS']
  if (required === 'required') throw new Error(text)
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
  if (!executablePath) throw new Error('no browser was found')
  return isFirefox
    ? launchFirefox(executablePath, hosts, trusted)
    : launchChromium(executablePath, hosts, trusted)
}

function launchChromium(
  executablePath: string,
  hosts: Readonly<Record<string, string>>,
  trusted?: string,
): Promise<Browser> {
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

/** Firefox leads a port elsewhere, whatever the host is. */
function launchFirefox(
  executablePath: string,
  hosts: Readonly<Record<string, string>>,
  trusted?: string,
): Promise<Browser> {
  const moves = Object.entries(hosts).map(([from, to]) => ({ from: new URL(`http://${from}`), to }))
  const ports = moves.map(({ from, to }) => `${from.port || 80}=${new URL(`http://${to}`).port}`)
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: FIREFOX,
    // The Node of this process starts it.
    env: {
      ...process.env,
      FIREFOX_PATH: executablePath,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    },
    firefoxUserPrefs: {
      'marionette.port': 0,
      // Frames of other origins share the process of their page: Firefox 140 sends keys and clicks to no other.
      'fission.autostart': false,
      // As in Chromium without a window: no page is asked for its icon.
      'browser.chrome.site_icons': false,
      // Pages that are trusted without TLS have pictures without TLS.
      'security.mixed_content.upgrade_display_content': false,
      'network.dns.localDomains': moves.map(({ from }) => from.hostname).join(','),
      'network.socket.forcePort': [...new Set(ports)].join(';'),
      'dom.securecontext.allowlist': trusted ? new URL(trusted).hostname : '',
    },
  })
}
