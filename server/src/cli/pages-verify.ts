import { readBuiltPages } from '#pages/built-pages.ts'
import { type Finding, verifyPages } from '#pages/verify.ts'
import { checkPages } from '#resources/page-checks/check.ts'
import { type Config, readConfig } from '../config.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { addressOf } from './own-address.ts'
import type { Terminal } from './terminal.ts'

export const command = defineCommand({
  name: 'pages verify',
  about:
    'Fetches the payment pages as a buyer’s browser does, and compares their headers, scripts and styles with this build.',
  options: {
    url: {
      type: 'string',
      value: 'URL',
      about: 'Where buyers reach the pages. Default: CHECKOUT_URL, or else PUBLIC_URL.',
    },
    'only-look': {
      type: 'boolean',
      about:
        'Leave the database alone: no event, no entry in the audit log. For other machines with the same version.',
    },
  },
  example: 'switchyard pages verify --url https://pay.example.com',
  run: async (terminal, { url, 'only-look': onlyLook }) => {
    const config = readConfig(terminal.env)
    const place = await placeOf(url, config)
    if (onlyLook) return report(terminal, place, await verifyPages(readBuiltPages(), place))
    await withFoundation(terminal, config, async ({ context }) =>
      report(terminal, place, await checkPages(context, place)),
    )
  },
})

async function placeOf(given: string | undefined, config: Config): Promise<string> {
  const url = given ?? config.checkoutUrl ?? (await addressOf(config))
  const parsed = URL.parse(url)
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed.origin
  throw new UsageError('--url must be an address such as https://pay.example.com.')
}

function report(terminal: Terminal, place: string, findings: readonly Finding[]): void {
  if (findings.length === 0) {
    terminal.print(`The payment pages at ${place} are those of this build.`)
    return
  }
  const lines = findings.map(({ address, problem }) => `  ${address}: ${problem}`)
  throw new Error(
    [
      `The payment pages at ${place} differ from this build:`,
      ...lines,
      'Find out what changes them on the way (a proxy, a cache, another version), and who. Until then, take no cards there.',
    ].join('\n'),
  )
}
