import type { KeySource } from '#vault'
import { type Config, fileOfDatabase } from './config.ts'

/** Where this installation's vault keys come from. */
export function vaultKeySource(config: Config): KeySource {
  const { vaultKeys, vaultKeyCommand, secretKey } = config
  if (vaultKeys !== null) return { kind: 'given', keys: vaultKeys }
  if (vaultKeyCommand !== null) return { kind: 'command', command: vaultKeyCommand, other: secretKey }
  return { kind: 'file', path: fileOfDatabase(config, 'vault', '.key') }
}
