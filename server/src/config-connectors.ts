import { resolve } from 'node:path'

type Reader = { readonly text: (name: string) => string | null }

/** Packages with connectors, and the folder in which an operator has installed them. */
export type ConnectorSettings = { readonly folder: string; readonly entries: readonly string[] }

/** A name as npm has them, or `./folder` for a package that is not installed. No entry leads out of the folder. */
const ENTRY =
  /^(@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*|[a-z0-9][a-z0-9._-]*|[.](\/[A-Za-z0-9@_-][A-Za-z0-9@._-]*)+)$/

/** Both belong together: no code is loaded from a folder that the operator has not named. */
export function readConnectors(read: Reader, problems: string[]): ConnectorSettings | null {
  const written = read.text('CONNECTORS')
  const folder = read.text('CONNECTORS_DIR')
  if (written === null && folder === null) return null
  if (written === null || folder === null) {
    const missing = written === null ? 'CONNECTORS' : 'CONNECTORS_DIR'
    problems.push(`${missing} is not set. Set CONNECTORS and CONNECTORS_DIR, or none of them.`)
    return null
  }
  const entries = written.split(',').map((entry) => entry.trim())
  if (!entries.every((entry) => ENTRY.test(entry)) || new Set(entries).size < entries.length) {
    problems.push(
      'CONNECTORS must be names of packages separated by commas, such as @acme/switchyard-acme, each once; or folders in CONNECTORS_DIR, such as ./acme.',
    )
    return null
  }
  return { folder: resolve(folder), entries }
}
