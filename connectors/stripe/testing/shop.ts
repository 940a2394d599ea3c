import type { ApprovalRequired, Link } from '#connectors/contract/connector.ts'
import * as samples from '#connectors/contract/samples.ts'
import { createStandIn, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { stripeContract } from './published-contract.ts'

export const API = 'https://api.stripe.com'

type Standing = Parameters<typeof createStandIn>[0]

/** A merchant with an account at a stand-in, of which each request and answer is compared with the contract. */
export function openShop({ now = () => new Date(), keys }: Partial<Standing> = {}) {
  const standIn = createStandIn({ now, ...(keys && { keys }) })
  const fields = { secret_key: TEST_KEY, flexible_captures: 'true' }
  const link: Link = samples.testLink({ fetch: stripeContract.watch(standIn.fetch), fields, now })
  const control = async (path: string, body: object = {}) => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const response = await standIn.fetch(`${API}/_stand-in/${path}`, init)
    if (response.status !== 200) throw new Error(`the stand-in answered ${response.status}`)
    return (await response.json()) as Record<string, string>
  }

  return {
    standIn,
    link,
    control,
    /** Uses the pages as a browser does. Returns the parameters of the address that the browser goes to. */
    decide: async (
      { approval }: ApprovalRequired,
      decision: 'approve' | 'refuse',
    ): Promise<Readonly<Record<string, string>>> => {
      const url = 'url' in approval ? (approval.url ?? '') : ''
      const isApproved = decision === 'approve'
      const body = new URLSearchParams({
        outcome: isApproved ? 'approve' : 'fail',
        descriptor_code: isApproved ? 'SM11AA' : 'SM33CC',
      })
      const response = await standIn.fetch(url, { method: 'POST', body })
      await control('finish')
      const location = response.headers.get('location')
      return location === null ? {} : Object.fromEntries(new URL(location).searchParams)
    },
    /** Ends with success what waits. */
    finish: async (reference: string) => {
      await control(`finish/${reference}`).catch(() => null)
      await control('finish')
    },
    /** Disputes a payment. Returns Stripe's id of the dispute. */
    dispute: async (reference: string, reason = 'product_not_received') =>
      (await control(`payment_intents/${reference}/dispute`, { reason }))['id'] ?? '',
  }
}
