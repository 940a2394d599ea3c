import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { useOwnFolder } from '#testing/own-folder.ts'
import { productionSettings } from '#testing/service-process.ts'

const own = useOwnFolder()
const ROOT = new URL('../', import.meta.url).href
const LISTER = fileURLToPath(new URL('../server/src/testing/list-loaded.ts', import.meta.url))

/** The files of ours that a service loads until it is ready, from the root of the checkout. */
async function loadedBy(settings: Record<string, string>): Promise<string[]> {
  const file = join(own.dataDir, 'loaded.txt')
  const service = await own.startProcess({
    ...settings,
    NODE_OPTIONS: `--import ${LISTER}`,
    LOADED_TO: file,
  })
  expect((await fetch(`${service.url}/openapi.json`)).status).toBe(200)
  await service.end('SIGTERM')
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith(ROOT) && !url.includes('/node_modules/'))
    .flatMap((url) => sourcesOf(url.slice(ROOT.length)))
}

/** What a built file is made of, by its map. Those of packages alone have none. */
function sourcesOf(built: string): string[] {
  if (!existsSync(`${built}.map`)) return []
  const { sources } = JSON.parse(readFileSync(`${built}.map`, 'utf8')) as { readonly sources: string[] }
  return sources.map((source) => join(dirname(built), source))
}

test('production loads not a line of what only a sandbox has', async () => {
  const loaded = await loadedBy(productionSettings())

  expect(loaded).toContain('server/src/app.ts')
  expect(loaded.filter((file) => file.startsWith('sandbox/'))).toEqual([])
})

test('a sandbox loads it', async () => {
  expect(await loadedBy({})).toContain('sandbox/open.ts')
})
