import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { adminKeyFile } from './config.ts'
import { type Context, inTransaction } from './platform/db.ts'
import { needsFirstKey, noteFirstKey } from './platform/instance.ts'
import { writeNewFile } from './platform/secrets.ts'
import { insertPair } from './resources/api-key-pairs/create.ts'
import { describePrivateKey } from './resources/api-key-pairs/keys.ts'
import * as roles from './resources/roles/store.ts'

/**
 * Gives a new sandbox its first key. The file comes before the row: a crash between the two leaves a file whose key the
 * next start registers, never a key that nobody holds. An existing file is used as it is. Of several processes that
 * start at once, one makes the key. It is made once: a key that was deleted stays deleted.
 */
export async function makeFirstKey(context: Context, dataDir: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    if (!(await needsFirstKey(tx))) return
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
    await noteFirstKey(tx)
  })
}

function keyIn(file: string): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' })
  writeNewFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  return readFileSync(file, 'utf8')
}
