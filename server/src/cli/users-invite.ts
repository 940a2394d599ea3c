import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as roles from '#resources/roles/store.ts'
import { inviteUser } from '#resources/users/create.ts'
import * as users from '#resources/users/store.ts'
import { readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { addressOf } from './own-address.ts'

export const command = defineCommand({
  name: 'users invite',
  about: 'Invites a user to the dashboard, and prints the link to send. It works once, for three days.',
  parameters: ['EMAIL'],
  options: {
    role: {
      type: 'string',
      value: 'SLUG',
      multiple: true,
      about: 'What the user may do. Default administrator. May be repeated.',
    },
    account: {
      type: 'string',
      value: 'ID',
      multiple: true,
      about: 'A merchant account the user may act on. Default all; the first is used when none is named.',
    },
    name: { type: 'string', value: 'NAME', about: 'The name of the person. Default: from the address.' },
  },
  example: 'switchyard users invite mara@example.com --role customer-support --account shop',
  run: async (terminal, options, [email = '']) => {
    const emailAddress = readEmail(email)
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const roleIds = await findRoles(foundation, options.role.length > 0 ? options.role : ['administrator'])
      const merchantAccountIds = [...new Set(options.account)]
      await refuseUnknownAccounts(foundation, merchantAccountIds)
      if (await users.findByEmail(foundation.context, emailAddress)) {
        throw new Error(
          `There is a user ${emailAddress}. For a new link: switchyard users reset ${emailAddress}`,
        )
      }
      const installation = { secrets: foundation.secrets, publicUrl: await addressOf(config) }
      const name = options.name?.trim() || emailAddress.replace(/@.*$/, '')
      const person = { emailAddress, name, roleIds, merchantAccountIds }
      const invited = await inviteUser(foundation.context, installation, person)
      terminal.print(`id    ${invited.id}\nlink  ${invited.invitation_url}`)
      terminal.say('Send the link to this person alone. It works once.')
      await foundation.sealer.seal(foundation.context)
    })
  },
})

function readEmail(given: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(given) && given.length <= 254) return given
  throw new UsageError(`"${given}" is not an e-mail address.`)
}

async function findRoles({ context }: Foundation, slugs: readonly string[]): Promise<string[]> {
  const named = await roles.findNamed(context, slugs)
  const missing = slugs.find((slug) => !named.some((role) => role.slug === slug || role.id === slug))
  if (missing !== undefined) throw new Error(`There is no role "${missing}".`)
  if (!named.some((role) => role.is_standalone_assignable)) {
    throw new Error(`The role "${slugs[0]}" only adds to others: name another beside it.`)
  }
  return named.map(({ id }) => id)
}

async function refuseUnknownAccounts({ context }: Foundation, ids: readonly string[]): Promise<void> {
  const known = await merchantAccounts.existing(context, ids)
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw new Error(`There is no merchant account "${missing}".`)
}
