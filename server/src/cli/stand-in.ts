import { systemClock } from '#platform/process/clock.ts'
import { STAND_INS } from '#sandbox/stand-ins/stand-ins.ts'
import { defineCommand, UsageError } from './command.ts'
import { reasonOf } from './terminal.ts'

const PORT_DEFAULT = 4010
const PORT_MAX = 65_535

export const command = defineCommand({
  name: 'stand-in',
  about:
    'Runs a stand-in for a payment provider on this machine, so that a payment service can be tried without an account. ' +
    'It follows the provider’s written rules, keeps everything in memory, and moves no money.',
  parameters: [Object.keys(STAND_INS).join('|')],
  options: {
    port: {
      type: 'string',
      value: 'PORT',
      about: `Where to listen. Default ${PORT_DEFAULT}; 0 is any free one.`,
    },
  },
  example: 'switchyard stand-in adyen',
  // It runs as long as it listens, until the operator ends the process.
  run: async (terminal, options, [provider = '']) => {
    const start = standInFor(provider)
    if (!start) {
      throw new UsageError(
        `The provider must be one of ${Object.keys(STAND_INS).join(', ')}, and not "${provider}".`,
      )
    }
    const port = readPort(options.port)
    const standIn = await start(port, systemClock).catch((error: NodeJS.ErrnoException) => {
      const isBusy = error.code === 'EADDRINUSE'
      const reason = isBusy ? `port ${port} is busy, perhaps with another stand-in` : reasonOf(error)
      throw new Error(
        `The stand-in cannot listen: ${reason}. Choose another port: --port ${port + 1}, or --port 0 for any free one.`,
      )
    })
    const fields = Object.entries(standIn.fields).map(([key, value]) => ({ key, value }))
    terminal.print(`The stand-in for ${provider} listens at ${standIn.origin}`)
    terminal.print(`Create ${standIn.service}, in a sandbox, with these fields:`)
    terminal.print(JSON.stringify({ fields }, null, 2))
    terminal.print(standIn.notifications)
    terminal.print(`Test cards, controls and books: ${standIn.origin}/. Ctrl-C ends it.`)
  },
})

export function standInFor(provider: string) {
  return Object.hasOwn(STAND_INS, provider) ? STAND_INS[provider] : undefined
}

function readPort(given = String(PORT_DEFAULT)): number {
  const port = Number(given)
  if (/^\d+$/.test(given) && port <= PORT_MAX) return port
  throw new UsageError(`--port must be a number from 0 to ${PORT_MAX}.`)
}
