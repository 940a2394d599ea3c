import type { User } from '#resources/users/schemas.ts'
import * as users from '#resources/users/store.ts'
import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { allPages, table } from './list.ts'
import { oneLine } from './terminal.ts'

const HEADINGS = ['ID', 'EMAIL', 'NAME', 'STATUS', 'ROLES', 'ACCOUNTS', 'SIGNS IN WITH', 'LAST SIGN-IN']

export const command = defineCommand({
  name: 'users list',
  about: 'Lists the users of the dashboard, newest first.',
  options: { json: { type: 'boolean', about: 'Print a JSON array of what the API shows of each.' } },
  example: 'switchyard users list',
  run: (terminal, { json }) =>
    withFoundation(terminal, readConfig(terminal.env), async ({ context, secrets }) => {
      const all = await allPages((page) => users.list(context, secrets, 'all', page))
      terminal.print(json ? JSON.stringify(all, null, 2) : table([HEADINGS, ...all.map(cellsOf)]))
    }),
})

function cellsOf(user: User): string[] {
  const accounts = user.merchant_accounts.map(({ id }) => id)
  return [
    user.id,
    oneLine(user.email_address),
    oneLine(user.name),
    user.status,
    user.roles.map(({ slug }) => slug).join(','),
    accounts.length > 0 ? accounts.join(',') : 'all',
    user.has_passkey ? 'passkey' : user.has_second_factor ? 'password' : 'nothing yet',
    user.last_signed_in_at ?? 'never',
  ]
}
