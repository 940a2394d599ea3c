import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openArchives } from './archive.ts'

const LASTING_NOWHERE = {
  ...readConfig({}),
  environment: 'production',
  databaseUrl: 'postgres://localhost/switchyard',
  secretKey: Buffer.alloc(32),
  vaultKeyCommand: 'true',
} as const

test('an installation that keeps nothing in DATA_DIR has to name a folder for its archive', async () => {
  // It is refused before the database is asked.
  const opening = openArchives(LASTING_NOWHERE as never, {} as never, undefined)

  await expect(opening).rejects.toThrow('Name a folder that lasts with --folder.')
})
