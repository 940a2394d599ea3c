import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'

export const command = defineCommand({
  name: 'vault rotate',
  about:
    'Seals every card number in the vault again with new keys, while the service runs. It can be interrupted and started again.',
  options: {},
  example: 'switchyard vault rotate',
  run: async (terminal) => {
    const config = readConfig(terminal.env)
    const { vaultKeySource } = await import('../config.ts')
    const { Vault } = await import('#vault')
    const { inTransaction } = await import('#platform/database/db.ts')
    const auditLogs = await import('#resources/audit-logs/store.ts')
    const source = vaultKeySource(config)
    await withFoundation(terminal, config, async ({ db, context, sealer }) => {
      let sealed = 0
      await Vault.rotate(db, config.environment, source, ({ done, total }) => {
        sealed = done
        terminal.draw(`\r${done} of ${total} sealed again`)
      })
      terminal.draw('\n')
      await inTransaction(context, (tx) =>
        auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', {
          type: 'vault',
          id: 'vault',
          name: `new keys for ${sealed} items`,
        }),
      )
      await sealer.seal(context)
      terminal.print(
        `${sealed} ${sealed === 1 ? 'item has' : 'items have'} new keys. The old keys are destroyed.`,
      )
    })
    if (source.kind === 'given') terminal.say('Older keys after the first in VAULT_KEY can be removed now.')
  },
})
