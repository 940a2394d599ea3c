import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../../lab/processes.ts'
import { say } from '../../lab/progress.ts'

/** Programs of others that the benchmark runs. They are no dependencies of this project, and nothing else uses them. */
const VERSIONS = {
  'stripe-stateful-mock': '0.0.16',
  '@stoplight/prism-cli': '5.16.0',
  '@medusajs/payment': '2.21.2',
  '@medusajs/framework': '2.21.2',
} as const
const FOLDER = 'node_modules/.cache/switchyard/peers'
const INSTALL = [
  'install',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--ignore-scripts',
  '--legacy-peer-deps',
]

export type Peer = keyof typeof VERSIONS

export function versionOf(peer: Peer): string {
  return VERSIONS[peer]
}

/** Where a file of a package lies. */
export function inPeers(path = ''): string {
  return join(CHECKOUT, FOLDER, path)
}

/** What to do before the benchmark can run, if something is missing. */
export function whyNoPeers(): string | undefined {
  const missing = Object.entries(VERSIONS).filter(([name, version]) => installedVersion(name) !== version)
  if (missing.length === 0) return undefined
  const names = missing.map(([name, version]) => `${name} ${version}`).join(', ')
  return `it needs ${names}; npm run bench -- peers --install puts them into ${FOLDER}, for this benchmark alone`
}

/** Exact versions, without running their install scripts. */
export function installPeers(): void {
  if (whyNoPeers() === undefined) return
  mkdirSync(inPeers(), { recursive: true })
  const wanted = { name: 'peers', private: true, dependencies: VERSIONS }
  writeFileSync(inPeers('package.json'), `${JSON.stringify(wanted, null, 2)}\n`)
  say(
    `Installing ${Object.entries(VERSIONS)
      .map((one) => one.join(' '))
      .join(', ')} into ${FOLDER} (a minute or two, once) …`,
  )
  const { status } = spawnSync('npm', [...INSTALL], {
    cwd: inPeers(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('npm could not install the peers: check the message above')
}

function installedVersion(name: string): string | undefined {
  try {
    return JSON.parse(readFileSync(inPeers(`node_modules/${name}/package.json`), 'utf8')).version
  } catch {
    return undefined
  }
}
