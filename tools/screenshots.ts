// Makes pictures of every page for buyers, and of every page of the dashboard, narrow and wide, light and dark, from a sandbox of its own, for people to look at:
// `npm run screenshots` writes them to .vitest/screenshots, `npm run screenshots -- --docs` those of the guides to docs/images. Names of
// scenes, or their first words, choose some: `npm run screenshots -- home page`. `--only=1440-dark,390-light` takes fewer pictures of each.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '#testing/browser.ts'
import { cleanUp } from '../lab/processes.ts'
import { type DataFolder, prepareDataFolder, type Service, send, startService } from '../lab/product.ts'
import type { Shop } from './scene.ts'
import { DOCUMENTED, SCENES, type Shot } from './screenshot-scenes.ts'

const WIDTHS = [390, 768, 1440] as const
const SCHEMES = ['light', 'dark'] as const
/** Sharp enough for a screen, and small enough for a document. */
const QUALITY = 82
/** Pages with more show more of the same. */
const TALLEST = 2_400

try {
  const names = process.argv.slice(2).filter((name) => !name.startsWith('--'))
  if (process.argv.includes('--docs')) await main('docs/images', DOCUMENTED, names)
  else await main('.vitest/screenshots', allShots(), names)
} finally {
  await cleanUp()
}

type Scenes = readonly (readonly [string, readonly Shot[]])[]

/** All scenes, or those that are named. */
async function main(folder: string, scenes: Scenes, names: readonly string[]): Promise<void> {
  const data = await prepareDataFolder()
  const service = await startService(data)
  const browser = await launchBrowser()
  const shop = shopOf(service, data)
  await shop.send('PUT /merchant-accounts/default', { display_name: 'Fjord & Pine' })
  mkdirSync(folder, { recursive: true })
  try {
    for (const [scene, shots] of scenes)
      if (names.length === 0 || names.some((name) => scene === name || scene.startsWith(`${name}-`)))
        await take(browser, shop, { scene, shots, folder, isWhole: scenes !== DOCUMENTED })
  } finally {
    await browser.close()
  }
}

function allShots(): Scenes {
  const only = process.argv
    .find((one) => one.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',')
  const shots = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, height: 900, scheme }))).filter(
    ({ width, scheme }) => only?.includes(`${width}-${scheme}`) ?? true,
  )
  return Object.keys(SCENES).map((scene) => [scene, shots])
}

type Taking = {
  readonly scene: string
  readonly shots: readonly Shot[]
  readonly folder: string
  /** Whether the pictures show the whole page, however tall it is. */
  readonly isWhole: boolean
}

/** Plays a scene once, and takes all its pictures of it. */
async function take(browser: Browser, shop: Shop, { scene, shots, folder, isWhole }: Taking): Promise<void> {
  const play = SCENES[scene]
  if (!play) throw new Error(`there is no scene ${scene}`)
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' })
  try {
    const page = await context.newPage()
    await play(page, shop)
    for (const { width, height, scheme } of shots) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: scheme })
      if (isWhole) await page.setViewportSize({ width, height: await heightOf(page, height) })
      const file = join(folder, `${scene}-${width}-${scheme}.webp`)
      writeFileSync(file, await picture(page))
      process.stdout.write(`${file}\n`)
    }
  } finally {
    await context.close()
  }
}

/** A window in which the page need not be moved, within reason. */
async function heightOf(page: Page, least: number): Promise<number> {
  const wanted = Number(await page.evaluate('document.documentElement.scrollHeight'))
  return Math.max(least, Math.min(wanted, TALLEST))
}

/** What is in the window. Playwright itself makes no WebP, which is a third of the size of PNG. */
async function picture(page: Page): Promise<Buffer> {
  await page.evaluate('document.fonts.ready')
  // Colours that change with the theme take a moment to do so.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)).then(() => {})',
  )
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  return Buffer.from(data, 'base64')
}

function shopOf({ url }: Service, { path, token }: DataFolder): Shop {
  return {
    url,
    run: async (...command) => {
      const env = { ...process.env, DATA_DIR: path, PORT: new URL(url).port }
      await promisify(execFile)(process.execPath, ['server/src/cli/switchyard.ts', ...command], { env })
    },
    send: async (route, body) => {
      const response = await send({ url, token }, route, body)
      const text = await response.text()
      if (!response.ok) throw new Error(`${route} was answered with ${response.status}: ${text}`)
      return text === '' ? {} : JSON.parse(text)
    },
  }
}
