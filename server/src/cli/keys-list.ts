import { readConfig } from '../config.ts'
import type { ApiKeyPair } from '../resources/api-key-pairs/schemas.ts'
import * as apiKeyPairs from '../resources/api-key-pairs/store.ts'
import type { Foundation } from '../start.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { print } from './terminal.ts'

const PAGE = 100
const HEADINGS = ['ID', 'NAME', 'THUMBPRINT', 'ACTIVE', 'ROLES', 'ACCOUNTS', 'LAST USED']

export const command = defineCommand({
  name: 'keys list',
  about: 'Lists the API key pairs, newest first.',
  options: { json: { type: 'boolean', about: 'Print a JSON array of what the API shows of each.' } },
  example: 'switchyard keys list --json | jq -r ".[] | select(.active) | .id"',
  run: ({ json }) =>
    withFoundation(readConfig(), async (foundation) => {
      const pairs = await allPairs(foundation)
      print(json ? JSON.stringify(pairs, null, 2) : table([HEADINGS, ...pairs.map(cellsOf)]))
    }),
})

async function allPairs({ context, secrets }: Foundation): Promise<ApiKeyPair[]> {
  const pairs: ApiKeyPair[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await apiKeyPairs.list(context, secrets, 'all', { limit: PAGE, cursor })
    pairs.push(...page.items)
    cursor = page.next_cursor
  }
  return pairs
}

function cellsOf(pair: ApiKeyPair): string[] {
  const accounts = pair.merchant_accounts.map(({ id }) => id)
  return [
    pair.id,
    // Names come from callers of the API; what steers a terminal must not reach one.
    pair.display_name.replaceAll(/\p{Cc}/gu, ' '),
    pair.thumbprint,
    pair.active ? 'yes' : 'no',
    pair.roles.map(({ slug }) => slug).join(','),
    accounts.length > 0 ? accounts.join(',') : 'all',
    pair.last_used_at ?? 'never',
  ]
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n')
}
