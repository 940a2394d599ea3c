import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { KeySource } from '../../vault/client.ts'
import type { Config } from './config.ts'

/** Where this installation's vault keys come from. */
export function vaultKeySource({ vaultKeys, vaultKeyCommand, dataDir, databaseUrl }: Config): KeySource {
  if (vaultKeys !== null) return { kind: 'given', keys: vaultKeys }
  if (vaultKeyCommand !== null) return { kind: 'command', command: vaultKeyCommand }
  return { kind: 'file', path: join(dataDir, fileNameFor(databaseUrl)) }
}

/** Two databases must not share a key file: rotating one would destroy what opens the other. */
function fileNameFor(databaseUrl: string | null): string {
  if (databaseUrl === null) return 'vault.key'
  const { host, pathname } = new URL(databaseUrl)
  return `vault-${hash('sha256', `${host}${pathname}`, 'hex').slice(0, 12)}.key`
}
