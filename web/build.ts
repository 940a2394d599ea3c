// Builds all pages into web/dist: `node web/build.ts SOURCE`. tools/setup.mjs runs it when a source has changed.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import type { BuiltFile, BuiltPage, Manifest } from '../server/src/pages/manifest.ts'
import { APPS, type App } from './apps.ts'

const HERE = import.meta.dirname
const DIST = join(HERE, 'dist')
/**
 * The oldest browsers that buyers may have: those whose policies know digests of scripts. Safari 15.4 counts as 16: what is private
 * in its classes has a flaw that ours do not meet.
 */
const TARGET = ['chrome100', 'safari16', 'firefox116']

/** Libraries mark files that servers must not run, of which there are none here. And a busy machine is slow. */
const NOISE: ReadonlySet<string> = new Set(['MODULE_LEVEL_DIRECTIVE', 'PLUGIN_TIMINGS'])

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ts': 'application/typescript; charset=utf-8',
  '.woff2': 'font/woff2',
}

type Output = Rolldown.RolldownOutput['output'][number]
type Made = { -readonly [Part in keyof Omit<Manifest, 'source'>]: Record<string, Manifest[Part][string]> }

/** Vite's helper preloads the styles of what is imported on demand. Ours has none, so 700 bytes less are sent. */
const PLAIN_IMPORTS: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load()' : null,
}

/** The parts of the dashboard come with its frame: an area then needs no second file that the browser would find late. */
const PARTS_TOGETHER: Rolldown.OutputOptions = {
  codeSplitting: { groups: [{ name: 'parts', test: /[/]web[/]dashboard[/](parts|api)[/](?!plot)/ }] },
}

// A build that the tests begin is the same. Otherwise Vite would take the larger parts for development.
process.env['NODE_ENV'] = 'production'
const [, , source] = process.argv
if (source === undefined)
  throw new Error('node tools/setup.mjs builds the pages: it knows what they are made from')
await buildAll(source)

/** The new folder takes the place of the old one at the end, so an interrupted build leaves no half of one. */
async function buildAll(source: string): Promise<void> {
  const folder = `${DIST}.${process.pid}`
  const made: Made = { files: {}, pages: {}, loaders: {} }
  try {
    for (const app of APPS) {
      for (const page of app.pages) await buildPage(folder, app, page, made)
      for (const loader of Object.keys(app.loaders)) await buildLoader(folder, app, loader, made)
    }
    writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ source, ...made }, null, 2)}\n`)
    rmSync(DIST, { recursive: true, force: true })
    renameSync(folder, DIST)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One build for each page: its script then has no part in a file of its own, which the browser would find late. */
async function buildPage(folder: string, app: App, page: string, made: Made): Promise<void> {
  const outputs = await run(app, {
    rolldownOptions: { input: join(HERE, app.name, page), onLog: withoutNoise, output: PARTS_TOGETHER },
  })
  const scripts: string[] = []
  const parts: Record<string, string> = {}
  for (const output of outputs.filter(({ fileName }) => extname(fileName) !== '.html')) {
    const name = `${app.name}/${output.fileName}`
    made.files[name] = write(folder, name, contentOf(output), reasonOf(app, output))
    if (output.type === 'chunk') scripts.push(name)
    if (output.type === 'chunk' && app.parts?.includes(output.name)) parts[output.name] = name
  }
  const html = outputs.find(({ fileName }) => fileName === page)
  if (!html) throw new Error(`${app.name}/${page} was not built`)
  const mapped = scripts.filter((script) => !Object.values(parts).includes(script))
  const { text, inline } = seal(String(contentOf(html)), made.files, mapped)
  const name = `${app.name}/${page}`
  made.pages[name] = { ...write(folder, name, text, null), scripts, inline, parts } satisfies BuiltPage
}

/** A plain script that needs nothing but itself, and its types. */
async function buildLoader(folder: string, app: App, loader: string, made: Made): Promise<void> {
  const stem = basename(loader, '.ts')
  const [output] = await run(app, {
    lib: { entry: join(HERE, app.name, loader), formats: ['es'], fileName: () => `assets/${stem}-[hash].js` },
    rolldownOptions: { onLog: withoutNoise },
  })
  if (!output) throw new Error(`${app.name}/${loader} was not built`)
  const name = `${app.name}/${output.fileName}`
  made.files[name] = write(folder, name, contentOf(output), reasonOf(app, output))
  made.loaders[`${stem}.js`] = name
  const types = declarationsOf(join(HERE, app.name, loader))
  const typesName = `${app.name}/assets/${stem}-${digestOf(types).slice(7, 15).replaceAll(/[+/]/g, '_')}.d.ts`
  made.files[typesName] = write(folder, typesName, types, null)
  made.loaders[`${stem}.d.ts`] = typesName
}

/** The types of a loader, for shops that use TypeScript. */
function declarationsOf(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-types-'))
  try {
    const flags = '--ignoreConfig --declaration --emitDeclarationOnly --module nodenext --skipLibCheck'
    const options = [
      '--lib',
      'es2024,dom',
      '--target',
      'es2024',
      '--types',
      'vite/client',
      '--outDir',
      folder,
    ]
    const tsc = join(HERE, '../node_modules/.bin/tsc')
    execFileSync(tsc, [...flags.split(' '), ...options, file], { stdio: ['ignore', 'inherit', 'inherit'] })
    return readFileSync(join(folder, basename(file).replace('.ts', '.d.ts')), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(app: App, options: NonNullable<InlineConfig['build']>): Promise<Output[]> {
  const result = await build({
    configFile: false,
    root: join(HERE, app.name),
    base: `/${app.name}/`,
    publicDir: false,
    logLevel: 'warn',
    plugins: [PLAIN_IMPORTS],
    oxc: { jsx: { runtime: 'automatic', importSource: app.jsx } },
    build: {
      write: false,
      target: TARGET,
      // One style sheet for each page: imports on demand load scripts alone.
      cssCodeSplit: false,
      minify: 'oxc',
      // The policy of the pages allows no data: URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      ...options,
    },
  })
  return [result].flat().flatMap((one) => ('output' in one ? one.output : []))
}

function withoutNoise(
  level: Rolldown.LogLevel,
  log: Rolldown.RolldownLog,
  tell: Rolldown.LogOrStringHandler,
): void {
  if (!NOISE.has(log.code ?? '')) tell(level, log)
}

function contentOf(output: Output): string | Uint8Array {
  return output.type === 'chunk' ? output.code : output.source
}

function reasonOf({ name, reasons }: App, output: Output): string | null {
  if (output.type !== 'chunk') return null
  const reason = reasons[output.name] ?? reasons['*']
  if (reason === undefined)
    throw new Error(`web/apps.ts gives no reason for the script ${output.name} of ${name}`)
  return reason
}

/** Puts the digest of each file beside its address, so that the browser runs no other content. */
function seal(
  html: string,
  files: Record<string, BuiltFile>,
  scripts: readonly string[],
): { text: string; inline: string[] } {
  const named = html.replaceAll(/(?:src|href)="[/]([^"]+)"/g, (attribute, name: string) => {
    const file = files[name]
    return file && /^text/.test(file.type) ? `${attribute} integrity="${file.integrity}"` : attribute
  })
  // Those that another script imports, now or on demand.
  const later = scripts.filter((name) => !html.includes(`src="/${name}"`))
  if (later.length === 0) return { text: named, inline: [] }
  const map = JSON.stringify({
    integrity: Object.fromEntries(later.map((name) => [`/${name}`, files[name]?.integrity])),
  })
  const text = named.replace('<head>', `<head><script type="importmap">${map}</script>`)
  return { text, inline: [digestOf(map)] }
}

function write(folder: string, name: string, content: string | Uint8Array, reason: string | null): BuiltFile {
  const type = TYPES[extname(name)]
  if (type === undefined) throw new Error(`web/build.ts names no content type for ${name}`)
  const body = Buffer.from(content)
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, body)
  const zipped = gzipSync(body, { level: 9 })
  const isCompressed = zipped.length < body.length * 0.9
  if (isCompressed) {
    writeFileSync(`${path}.gz`, zipped)
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
    )
  }
  const bytes = isCompressed ? zipped.length : body.length
  return { type, integrity: digestOf(body), bytes, isCompressed, reason }
}

function digestOf(content: string | Uint8Array): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`
}
