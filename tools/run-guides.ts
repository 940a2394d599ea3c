// Runs the commands of the README and the guides, page by page and each page twice, as a reader would paste them.
// `npm run guides` runs all of them, `npm run guides -- webhooks` one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CHECKOUT, cleanUp, temporaryFolder } from '../lab/processes.ts'
import { type DataFolder, prepareDataFolder, startService } from '../lab/product.ts'
import { type Page, readPages } from './guide-pages.ts'

const ADDRESS = 'API=http://127.0.0.1:3000\n'
const MARK = '\u001e'

try {
  process.exitCode = await main()
} finally {
  await cleanUp()
}

async function main(): Promise<number> {
  const wanted = process.argv.slice(2)
  const pages = readPages().filter(
    ({ file }) => wanted.length === 0 || wanted.includes(basename(file, '.md')),
  )
  const data = await prepareDataFolder()
  const service = await startService(data)
  const folder = checkoutOf(data)
  let count = 0
  for (const page of pages) {
    for (const time of ['first', 'second']) {
      const problems = await runPage(page, { url: service.url, data, folder })
      count += problems.length
      say(`${problems.length === 0 ? 'ok     ' : 'problem'} ${page.file}, ${time} time`)
      for (const problem of problems) say(problem.replaceAll(/^/gm, '        '))
    }
  }
  say(count === 0 ? `All ${pages.length} pages run.` : `${count} problems.`)
  return count === 0 && pages.length > 0 ? 0 : 1
}

/** A folder that looks like this checkout, so that what pages save does not end up in the real one. */
function checkoutOf({ path }: DataFolder): string {
  const folder = temporaryFolder().path
  for (const name of readdirSync(CHECKOUT)) {
    if (name !== '.git' && name !== '.data') symlinkSync(join(CHECKOUT, name), join(folder, name))
  }
  symlinkSync(path, join(folder, '.data'))
  return folder
}

type Place = { readonly url: string; readonly data: DataFolder; readonly folder: string }

async function runPage(page: Page, place: Place): Promise<string[]> {
  const { folder } = place
  for (const [name, code] of Object.entries(page.programs)) writeFileSync(join(folder, name), code)
  const before = await settingsOf(place)
  const keys = await keysOf(place)
  const { status, output } = await runShell(page, place)
  const outputs = output.split(MARK).slice(1)
  const problems = page.blocks.flatMap(({ line, promised }, index) => {
    const printed = outputs[index]
    if (printed === undefined) return []
    const missing = missingIn(printed, promised)
    return missing === undefined
      ? []
      : [`line ${line}: the page promises "${missing}", and this is printed:\n${printed}`]
  })
  const last = page.blocks[outputs.length - 1]
  if (status !== 0) problems.push(`line ${last?.line}: exit code ${status}\n${outputs.at(-1) ?? output}`)
  const after = await settingsOf(place)
  if (after !== before) problems.push(`it leaves behind\n${after}\nwhere this was before\n${before}`)
  const kept = await keysOf(place)
  for (const [id, name] of keys)
    if (!kept.has(id)) problems.push(`it deletes the key "${name}" of another page`)
  return [...problems, ...filesLeft(page, folder)]
}

/** Both outputs in one, because errors are part of what readers see. The shell ends at the first command that fails. */
async function runShell({ blocks }: Page, { url, data, folder }: Place) {
  const script = blocks.map(({ code }) => `printf '${MARK}'\n${code.replace(ADDRESS, `API=${url}\n`)}`)
  const child = spawn('bash', ['-c', `exec 2>&1\nset -eo pipefail\n${script.join('\n')}`], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: data.path },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  void once(child, 'exit').then(() => endGroup(child.pid))
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output, status: status as number | null }
}

/** A page that fails half-way leaves what it started in the background. */
function endGroup(pid = 0): void {
  try {
    if (pid > 0) process.kill(-pid)
  } catch {}
}

/** The first promised line that is not printed after those before it. Nothing printed may be undefined. */
function missingIn(printed: string, promised: readonly string[]): string | undefined {
  const lines = printed.split('\n').map((line) => line.trim())
  if (lines.includes('undefined')) return 'a value'
  let from = 0
  return promised.find((promise) => {
    const pattern = new RegExp(`^${promise.split('…').map(escaped).join('.*')}$`)
    const found = lines.findIndex((line, index) => index >= from && pattern.test(line))
    from = found + 1
    return found < 0
  })
}

function escaped(words: string): string {
  return words.replaceAll(/[^\w\s]/g, '\\$&')
}

/** The key pairs, by id. Those that a page finds are not its own. */
async function keysOf({ url, data }: Place): Promise<Map<string, string>> {
  const response = await fetch(`${url}/api-key-pairs?limit=100`, {
    headers: { authorization: `Bearer ${data.token}` },
  })
  const { items } = (await response.json()) as { items: { id: string; display_name: string }[] }
  return new Map(items.map(({ id, display_name }) => [id, display_name]))
}

/** What would change how later payments of the sandbox are made, or who may make them. */
async function settingsOf({ url, data }: Place): Promise<string> {
  const read = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${data.token}` } })
    return (await response.json()) as { items?: { active?: boolean; display_name?: string; url?: string }[] }
  }
  const lists = [
    'payment-services',
    'gift-card-services',
    'account-updater-services',
    'anti-fraud-services',
    'network-token-services',
    'three-ds-services',
    'webhook-subscriptions',
  ]
  const active = lists.map(async (name) => {
    const { items = [] } = await read(`/${name}?limit=100`)
    const names = items.filter((item) => item.active).map((item) => item.display_name ?? item.url)
    return `active ${name}: ${names.join(', ')}`
  })
  const { account_updater_enabled } = (await read('/merchant-accounts/default')) as Record<string, unknown>
  return [...(await Promise.all(active)), `account updater: ${account_updater_enabled}`].join('\n')
}

/** Files in the checkout that the reader was not asked to save: git would offer them for the next commit. */
function filesLeft({ programs }: Page, folder: string): string[] {
  const saved = Object.keys(programs)
  for (const name of saved) rmSync(join(folder, name))
  const left = readdirSync(folder).filter((name) => !lstatSync(join(folder, name)).isSymbolicLink())
  for (const name of left) rmSync(join(folder, name), { recursive: true })
  return left.map((name) => `it leaves ${name} in the checkout`)
}

function say(words: string): void {
  process.stderr.write(`${words}\n`)
}
