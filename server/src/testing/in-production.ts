import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { switchyard } from './command-line.ts'
import type { OwnFolder } from './own-folder.ts'
import { productionSettings, type Running } from './service-process.ts'

/**
 * Starts a production service in a process of its own, with a key for its administrator. Production offers no address of a stand-in, so
 * what leads to the providers' own hosts is led to the stand-ins below the program. It may ask nobody else.
 */
export async function startInProduction(
  own: OwnFolder,
  hosts: Readonly<Record<string, string>>,
): Promise<Running> {
  const settings = productionSettings()
  const first = await own.start(settings)
  await first.end('SIGTERM')
  const out = join(own.dataDir, 'admin-key.pem')
  const key = ['--display-name', 'Admin', '--role', 'administrator', '--out', out]
  const created = await switchyard(['keys', 'create', ...key], { ...settings, DATA_DIR: own.dataDir })
  expect(created.code, created.stderr).toBe(0)
  const preload = join(own.dataDir, 'hosts.mjs')
  writeFileSync(
    preload,
    `const hosts = ${JSON.stringify(hosts)}
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
https.request = (url, { agent, ...options }) => {
  const { origin, pathname, search } = url
  if (!(origin in hosts)) throw new Error('the service asks ' + origin)
  return http.request(new URL(hosts[origin] + pathname + search), options)
}
syncBuiltinESMExports()`,
  )
  return own.startProcess({ ...settings, NODE_OPTIONS: `--import=${pathToFileURL(preload)}` })
}

/** Fields of a service, as requests have them. */
export function entriesOf(fields: Readonly<Record<string, string>>) {
  return Object.entries(fields).map(([key, value]) => ({ key, value }))
}
