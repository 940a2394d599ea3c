import { resetUser } from '#resources/users/invite-again.ts'
import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { findUser } from './find-user.ts'
import { withFoundation } from './foundation.ts'
import { addressOf } from './own-address.ts'

export const command = defineCommand({
  name: 'users reset',
  about: 'Prints a link with which a user who has lost every passkey can start again. It works once.',
  parameters: ['EMAIL'],
  options: {},
  example: 'switchyard users reset mara@example.com',
  run: async (terminal, _options, [email = '']) => {
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const { id } = await findUser(foundation, email)
      const installation = { secrets: foundation.secrets, publicUrl: await addressOf(config) }
      const { invitation_url, invitation_expires_at } = await resetUser(foundation.context, installation, id)
      terminal.print(`link  ${invitation_url}`)
      terminal.say(`Send the link to this person alone. It works once, until ${invitation_expires_at}.`)
      await foundation.sealer.seal(foundation.context)
    })
  },
})
