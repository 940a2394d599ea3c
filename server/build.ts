// Bundles the service and its command line into server/dist: `node server/build.ts SOURCE`. tools/setup.mjs runs it when a source has changed.
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Plugin, type RolldownOptions, rolldown } from 'rolldown'

const ROOT = dirname(import.meta.dirname)
const DIST = join(ROOT, 'server/dist')

/** The programs, and the contract of connectors, which packages of connectors import. Its suites are for tests. */
const ENTRIES: Readonly<Record<string, string>> = {
  main: 'server/src/main.ts',
  worker: 'server/src/worker.ts',
  switchyard: 'server/src/cli/switchyard.ts',
  ...Object.fromEntries(
    globSync('connectors/contract/*.ts', { cwd: ROOT })
      .filter((file) => !/from 'vitest'|from '[.]\/suite/.test(readFileSync(join(ROOT, file), 'utf8')))
      .map((file) => [`contract/${basename(file, '.ts')}`, file]),
  ),
}
const BUILT = new Map(
  Object.entries(ENTRIES).map(([name, file]) => [join(ROOT, file), `server/dist/${name}.js`]),
)

/** Packages that need not be there. */
const NOT_BUNDLED = ['pg-native', 'pg-cloudflare']
/** From the programs, and the parts that they share, to the top of the checkout. The contract asks for no place. */
const TOP = '../../'

/** Files find others by their own place, which a bundle changes. A program that is an entry is found among the built ones. */
const PLACES: Plugin = {
  name: 'places',
  transform(code, id) {
    if (!id.startsWith(ROOT) || id.includes('/node_modules/')) return null
    const placeOf = (file: string) => `new URL(${JSON.stringify(TOP + file)}, import.meta.url)`
    const placed = code.replaceAll(
      /new URL\('([^']+[.]ts)', import[.]meta[.]url\)|import[.]meta[.]url/g,
      (_text, file?: string) => {
        if (file === undefined) return `${placeOf(relative(ROOT, id))}.href`
        const program = join(dirname(id), file)
        return placeOf(BUILT.get(program) ?? relative(ROOT, program))
      },
    )
    // Each line stays where it was.
    return placed === code
      ? null
      : { code: placed, map: { mappings: `AAAA${';AACA'.repeat(code.split('\n').length - 1)}` } }
  },
}

const OPTIONS: RolldownOptions = {
  input: ENTRIES,
  cwd: ROOT,
  platform: 'node',
  external: NOT_BUNDLED,
  plugins: [PLACES],
}

const [, , source] = process.argv
if (source === undefined)
  throw new Error('node tools/setup.mjs builds the service: it knows what it is made from')

/** The new folder takes the place of the old one at the end, so an interrupted build leaves no half of one. */
const folder = `${DIST}.${process.pid}`
try {
  const bundle = await rolldown(OPTIONS)
  const { output } = await bundle.write({
    dir: folder,
    sourcemap: true,
    sourcemapExcludeSources: true,
    // Names stay: traces show them.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  })
  // Of packages alone, the built file says as much.
  for (const part of output)
    if (part.type === 'chunk' && part.moduleIds.every((id) => id.includes('/node_modules/')))
      rmSync(join(folder, `${part.fileName}.map`), { force: true })
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ source })}\n`)
  rmSync(DIST, { recursive: true, force: true })
  renameSync(folder, DIST)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
