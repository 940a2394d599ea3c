import { isBuyerField } from '#connectors/contract/buyer-fields.ts'
import type { ApprovalRequired, Link, Message } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { enteredFor } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import type { MethodRow } from '../methods.ts'
import { openStandIn } from './bench.ts'

/** A whole one: Adyen takes no other. */
export const BROWSER = {
  javascript_enabled: true,
  java_enabled: false,
  language: 'en',
  color_depth: 24,
  screen_height: 900,
  screen_width: 1600,
  time_zone_offset: -60,
  user_agent: 'Mozilla/5.0',
  user_device: 'desktop',
} as const

/** A payment that Adyen authenticates, with all that it needs for it. */
export const ASKED = {
  threeDSecure: 'provider',
  details: { browser_info: BROWSER },
  buyer: { id: null, ipAddress: '203.0.113.7', locale: null },
} as const

export const RETURN_URL = 'https://switchyard.example.com/return/attempt'

/** A merchant with an account at a stand-in. */
export function openShop(options: Parameters<typeof openStandIn>[0] = {}) {
  const standIn = openStandIn(options)
  const { account } = standIn
  const fields = {
    api_key: account.apiKey,
    merchant_account: account.merchantAccount,
    hmac_key: account.hmacKey,
    report_user: account.reportUser,
    report_password: account.reportPassword,
  }
  const link: Link = samples.testLink({ fetch: standIn.fetch, fields })
  const takeMessage = async (): Promise<Message> => ({
    headers: {},
    body: Buffer.from(await standIn.takeMessage()),
  })

  /** The buyer goes to the page, decides, and comes back with these parameters. */
  async function decide(url: string, decision: string): Promise<Record<string, string>> {
    const back = await standIn.fetch(url, { method: 'POST', body: new URLSearchParams({ decision }) })
    return Object.fromEntries(new URL(back.headers.get('location') ?? '').searchParams)
  }

  return {
    standIn,
    link,
    takeMessage,
    decide,
    decideOn: ({ approval }: ApprovalRequired, decision: 'approve' | 'refuse') =>
      decide(
        'url' in approval && approval.url ? approval.url : '',
        decision === 'approve' ? 'approve' : 'decline',
      ),
    effectsOf: async (attemptId: string) => (await standIn.movementsOf(attemptId)).length,
    /** The page of a payment that waits for its buyer, by Adyen's reference or by ours. */
    pageOf: async (reference: string) => {
      const response = await standIn.fetch('https://stand-in.invalid/_stand-in/books')
      const { payments } = (await response.json()) as { payments: Record<string, string>[] }
      const found = payments.find(
        (one) =>
          one['status'] === 'redirected' && [one['pspReference'], one['reference']].includes(reference),
      )
      return found ? `https://checkout-test.adyen.com/shopper/${found['pspReference']}` : null
    },
  }
}

export function contact(over: Partial<Contact> = {}): Contact {
  return {
    first_name: null,
    last_name: null,
    email_address: null,
    phone_number: null,
    address: null,
    ...over,
  }
}

/** A card whose code has three digits, as Adyen wants it. */
export const CARD_WITH_CODE = samples.card({ securityCode: secret('737') })

export const CARD_ORDER: Partial<AuthorizeOrder> = {
  instrument: CARD_WITH_CODE,
  redirectUrl: RETURN_URL,
}

const BUYER = contact({
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@example.com',
  phone_number: '+4915112345678',
  address: {
    line1: 'Lindenstraße 7',
    line2: null,
    house_number_or_name: null,
    city: 'Berlin',
    country: 'DE',
    postal_code: '10969',
    state: null,
    state_code: null,
    organization: null,
  },
})
const TAX_ID = { kind: 'br.cpf', value: '568.617.525-09' }

/** A payment by a redirect method, with all that any of them asks of the buyer. */
export function orderBy(
  { method, currencies, countries, fields = {} }: MethodRow,
  over: Partial<Contact> = {},
) {
  const [currency = ''] = currencies === 'all' ? ['EUR'] : currencies
  const [country = ''] = countries === 'all' ? ['DE'] : countries
  return {
    instrument: {
      ...({ kind: 'redirect', method, country, currency } as const),
      fields: enteredFor(Object.keys(fields).filter(isBuyerField)),
    },
    // Adyen has no decimals for some currencies.
    amount: 129_900,
    country,
    currency,
    billing: { ...BUYER, tax_id: TAX_ID, ...over },
    shipping: BUYER,
    redirectUrl: RETURN_URL,
  } as const satisfies Partial<AuthorizeOrder>
}
