// Holds the code against the import table in .dependency-cruiser.mjs.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

const FOLDERS = [
  'server',
  'connectors',
  'sandbox',
  'issuer',
  'vault',
  'bench',
  'faults',
  'lab',
  'tools',
  'web',
  'client',
  'examples',
].filter((folder) => existsSync(folder))

const result = spawnSync(
  'node_modules/.bin/depcruise',
  [...FOLDERS, '--config', '.dependency-cruiser.mjs', '--output-type', 'json'],
  { encoding: 'utf8', maxBuffer: 1 << 28 },
)
const { summary, modules } = JSON.parse(result.stdout) as {
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
  modules: { source: string }[]
}
const seen = new Set(modules.map(({ source }) => source))
// Without a parser it understands, the tool reads nothing, finds nothing and reports success.
const sources = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`))
const unread = sources.filter((file) => !/^(web|client)[/]dist[/]/.test(file) && !seen.has(file))

for (const { rule, from, to } of summary.violations) process.stderr.write(`${rule.name}: ${from} → ${to}\n`)
for (const file of unread) process.stderr.write(`not read: ${file}\n`)
if (summary.violations.length > 0 || unread.length > 0) process.exit(1)
process.stdout.write(`imports: ${seen.size} modules, no violations\n`)
