import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { adminKeyFile } from './config.ts'
import type { Context } from './platform/db.ts'
import { writeNewFile } from './platform/secrets.ts'
import { savePair } from './resources/api-key-pairs/create.ts'
import { describePrivateKey } from './resources/api-key-pairs/keys.ts'
import * as apiKeyPairs from './resources/api-key-pairs/store.ts'
import * as roles from './resources/roles/store.ts'

/**
 * Gives a new sandbox its first key. The file comes before the row: a crash between the two leaves a file whose key the
 * next start registers, never a key that nobody holds. An existing file is used as it is.
 */
export async function makeFirstKey(context: Context, dataDir: string): Promise<void> {
  if ((await apiKeyPairs.count(context)) > 0) return
  const file = adminKeyFile(dataDir)
  writeNewFile(
    file,
    generateKeyPairSync('ec', { namedCurve: 'P-521' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  )
  const role = await roles.findBySlug(context, 'administrator')
  if (!role) throw new Error('the administrator role is missing from the database')
  await savePair(context, {
    displayName: 'Administrator',
    active: true,
    publicKey: await describePrivateKey(readFileSync(file, 'utf8')),
    privateKey: null,
    roleIds: [role.id],
    merchantAccountIds: [],
  })
}
