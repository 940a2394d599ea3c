import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { adminKeyFile } from './config.ts'
import { type Context, inTransaction } from './platform/db.ts'
import { lockInstance } from './platform/instance.ts'
import { writeNewFile } from './platform/secrets.ts'
import { insertPair } from './resources/api-key-pairs/create.ts'
import { describePrivateKey } from './resources/api-key-pairs/keys.ts'
import * as apiKeyPairs from './resources/api-key-pairs/store.ts'
import * as roles from './resources/roles/store.ts'

/**
 * Gives a new sandbox its first key. The file comes before the row: a crash between the two leaves a file whose key the
 * next start registers, never a key that nobody holds. An existing file is used as it is. Of several processes that
 * start at once, one makes the key.
 */
export async function makeFirstKey(context: Context, dataDir: string): Promise<void> {
  if ((await apiKeyPairs.count(context)) > 0) return
  await inTransaction(context, async (tx) => {
    await lockInstance(tx)
    if ((await apiKeyPairs.count(tx)) > 0) return
    const role = await roles.findBySlug(tx, 'administrator')
    if (!role) throw new Error('the administrator role is missing from the database')
    await insertPair(tx, {
      displayName: 'Administrator',
      active: true,
      publicKey: await describePrivateKey(keyIn(adminKeyFile(dataDir))),
      privateKey: null,
      roleIds: [role.id],
      merchantAccountIds: [],
    })
  })
}

function keyIn(file: string): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' })
  writeNewFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  return readFileSync(file, 'utf8')
}
