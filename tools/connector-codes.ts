import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  AVS,
  CVC,
  DISPUTE_STATUSES,
  ERRORS,
  EVENTS,
  MODIFICATION_REASONS,
  REFUSALS,
  RESULTS,
} from '#connectors/adyen/mapping.ts'
import * as checkout from '#connectors/checkout/mapping.ts'
import { CODE_OF_STATUS } from '#connectors/contract/refuse.ts'
import * as cybersource from '#connectors/cybersource/mapping.ts'
import * as gocardless from '#connectors/gocardless/mapping.ts'
import * as mollie from '#connectors/mollie/mapping.ts'
import { MAPPING as paypal } from '#connectors/paypal/mapping.ts'
import { MAPPING as stripe } from '#connectors/stripe/mapping.ts'
import * as worldpay from '#connectors/worldpay/mapping.ts'

/** The tables of each connector, as the connector itself uses them. */
const PROVIDERS: Readonly<
  Record<string, { readonly name: string; readonly tables: Readonly<Record<string, unknown>> }>
> = {
  adyen: {
    name: 'Adyen',
    tables: {
      results: RESULTS,
      refusals: REFUSALS,
      errors: ERRORS,
      modificationReasons: MODIFICATION_REASONS,
      events: EVENTS,
      disputeStatuses: DISPUTE_STATUSES,
      avs: AVS,
      cvc: CVC,
    },
  },
  checkout: {
    name: 'Checkout.com',
    tables: {
      statuses: checkout.STATUSES,
      responses: checkout.RESPONSES,
      ranges: checkout.RANGES,
      errors: checkout.ERRORS,
      events: checkout.EVENTS,
      disputeEvents: checkout.DISPUTE_EVENTS,
      avs: checkout.AVS,
      cvv: checkout.CVV,
      breakdowns: checkout.BREAKDOWNS,
      noPayments: checkout.NO_PAYMENTS,
    },
  },
  cybersource: {
    name: 'CyberSource',
    tables: {
      statuses: cybersource.STATUSES,
      reasons: cybersource.REASONS,
      errors: cybersource.ERRORS,
      reasonCodes: cybersource.REASON_CODES,
      avs: cybersource.AVS,
      cvv: cybersource.CVV,
    },
  },
  gocardless: {
    name: 'GoCardless',
    tables: {
      paymentStatuses: gocardless.PAYMENT_STATUSES,
      refundStatuses: gocardless.REFUND_STATUSES,
      causes: gocardless.CAUSES,
      reasons: gocardless.REASONS,
      fields: gocardless.FIELDS,
      errors: CODE_OF_STATUS,
    },
  },
  mollie: {
    name: 'Mollie',
    tables: {
      paymentStatuses: mollie.PAYMENT_STATUSES,
      failures: mollie.FAILURES,
      captureStatuses: mollie.CAPTURE_STATUSES,
      refundStatuses: mollie.REFUND_STATUSES,
      errors: CODE_OF_STATUS,
      fields: mollie.FIELDS,
    },
  },
  paypal: { name: 'PayPal', tables: paypal },
  stripe: { name: 'Stripe', tables: stripe },
  worldpay: {
    name: 'Worldpay',
    tables: {
      refusals: worldpay.REFUSALS,
      errors: worldpay.ERRORS,
      events: worldpay.EVENTS,
      payouts: worldpay.PAYOUTS,
    },
  },
}

/** The pages docs/connectors/<provider>-codes.md, by their paths. `node tools/connector-codes.ts` writes them. */
export function codePages(): Map<string, string> {
  return new Map(
    Object.entries(PROVIDERS).map(([provider, { name, tables }]) => [
      `docs/connectors/${provider}-codes.md`,
      pageOf(provider, name, tables),
    ]),
  )
}

function pageOf(provider: string, name: string, tables: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(tables).filter(([, table]) => typeof table === 'object' && table !== null)
  return [
    `# What ${name} says, and what we make of it`,
    '',
    `\`tools/connector-codes.ts\` writes this page from \`connectors/${provider}/mapping.ts\`. Change that file, and run`,
    `\`node tools/connector-codes.ts\`. See also [how to use the connector](${provider}.md).`,
    ...shown.flatMap(([title, table]) => ['', `## ${wordsOf(title)}`, '', ...rowsOf(table as object)]),
    '',
  ].join('\n')
}

/** `declineCodes` and `MODIFICATION_REASONS` as words. */
function wordsOf(title: string): string {
  const words = title
    .replace('threeDSecure', '3-D Secure')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^(3-d s|Avs|Cvv|Cvc|Http)/, (name) =>
    name.toUpperCase(),
  )
}

function rowsOf(table: object): string[] {
  if (Array.isArray(table) && table.every((one) => !Array.isArray(one))) {
    return [table.map((one) => codeOf(String(one))).join(', ')]
  }
  const entries: [unknown, unknown][] = Array.isArray(table)
    ? table.map(([said, meant]) => [said, meant])
    : table instanceof Map
      ? [...table]
      : Object.entries(table)
  return [
    '| The provider says | We take it as |',
    '|---|---|',
    ...entries.map(([said, meant]) => `| ${codeOf(String(said))} | ${textOf(meant)} |`),
  ]
}

function textOf(meant: unknown): string {
  if (meant === null) return 'the outcome is unknown'
  if (Array.isArray(meant)) return meant.map(textOf).join(', ')
  if (typeof meant === 'object') {
    return Object.entries(meant as object)
      .map(([name, value]) => `${wordsOf(name).toLowerCase()}: ${textOf(value)}`)
      .join('; ')
  }
  const text = String(meant)
  return /^[\w.-]+$/.test(text) ? codeOf(text) : text.replaceAll('|', '\\|')
}

function codeOf(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of codePages()) writeFileSync(path, text)
}
