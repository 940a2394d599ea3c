import type { ApiKeyPair } from '#resources/api-key-pairs/schemas.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { allPages, table } from './list.ts'
import { oneLine } from './terminal.ts'

const HEADINGS = ['ID', 'NAME', 'THUMBPRINT', 'ACTIVE', 'ROLES', 'ACCOUNTS', 'LAST USED']

export const command = defineCommand({
  name: 'keys list',
  about: 'Lists the API key pairs, newest first.',
  options: { json: { type: 'boolean', about: 'Print a JSON array of what the API shows of each.' } },
  example: 'switchyard keys list --json | jq -r ".[] | select(.active) | .id"',
  run: (terminal, { json }) =>
    withFoundation(terminal, readConfig(terminal.env), async ({ context, secrets }) => {
      const pairs = await allPages((page) => apiKeyPairs.list(context, secrets, 'all', page))
      terminal.print(json ? JSON.stringify(pairs, null, 2) : table([HEADINGS, ...pairs.map(cellsOf)]))
    }),
})

function cellsOf(pair: ApiKeyPair): string[] {
  const accounts = pair.merchant_accounts.map(({ id }) => id)
  return [
    pair.id,
    oneLine(pair.display_name),
    pair.thumbprint,
    pair.active ? 'yes' : 'no',
    pair.roles.map(({ slug }) => slug).join(','),
    accounts.length > 0 ? accounts.join(',') : 'all',
    pair.last_used_at ?? 'never',
  ]
}
