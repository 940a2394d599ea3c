import { type Context, inTransaction } from '#platform/database/db.ts'
import type { ApiKeyPair } from '#resources/api-key-pairs/schemas.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { tell } from '#resources/api-key-pairs/tell.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { oneLine } from './terminal.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const command = defineCommand({
  name: 'keys disable',
  about: 'Makes an API key pair inactive. The key stays known, and the API can make it active again.',
  options: {},
  parameters: ['ID'],
  example: 'switchyard keys disable 0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002',
  run: (terminal, _options, [id = '']) =>
    withFoundation(terminal, readConfig(terminal.env), async ({ context, sealer }) => {
      const pair = UUID.test(id) ? await disable(context, id) : undefined
      if (!pair) throw new Error(`There is no API key pair ${id}. See: switchyard keys list`)
      const name = `"${oneLine(pair.display_name)}"`
      if (!pair.active) return terminal.say(`The key ${name} was inactive already.`)
      terminal.say(`The key ${name} is inactive. Every running process refuses its tokens within 5 seconds.`)
      if ((await apiKeyPairs.countActive(context)) === 0) {
        terminal.say(
          'No active key is left. Make one: switchyard keys create --display-name NAME --role administrator',
        )
      }
      // No worker may be running, and an unsealed entry would look like an intrusion.
      await sealer.seal(context)
    }),
})

/** Returns the pair as it was before. */
function disable(context: Context, id: string): Promise<ApiKeyPair | undefined> {
  return inTransaction(context, async (tx) => {
    const before = await apiKeyPairs.lock(tx, 'all', id)
    if (!before?.active) return before
    await apiKeyPairs.update(tx, id, { active: false })
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', {
      type: 'api-key-pair',
      id,
      name: before.display_name,
    })
    const after = await apiKeyPairs.find(tx, 'all', id)
    if (after) await tell(tx, 'api-key-pair.updated', after)
    return before
  })
}
