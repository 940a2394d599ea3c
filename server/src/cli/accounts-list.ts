import type { MerchantAccount } from '#resources/merchant-accounts/schemas.ts'
import { showAccount } from '#resources/merchant-accounts/show.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { allPages, table } from './list.ts'
import { oneLine } from './terminal.ts'

const HEADINGS = ['ID', 'NAME', 'CREATED']

export const command = defineCommand({
  name: 'accounts list',
  about: 'Lists the merchant accounts, newest first.',
  options: { json: { type: 'boolean', about: 'Print a JSON array of what the API shows of each.' } },
  example: 'switchyard accounts list',
  run: (terminal, { json }) =>
    withFoundation(terminal, readConfig(terminal.env), async ({ context, secrets }) => {
      const found = await allPages((page) => merchantAccounts.list(context, secrets, 'all', page))
      const accounts = found.map(showAccount)
      terminal.print(json ? JSON.stringify(accounts, null, 2) : table([HEADINGS, ...accounts.map(cellsOf)]))
    }),
})

function cellsOf({ id, display_name, created_at }: MerchantAccount): string[] {
  return [id, oneLine(display_name), created_at]
}
