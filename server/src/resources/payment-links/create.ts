import { withoutNumbers } from '#payments/document.ts'
import { findBuyer } from '#payments/prepare/find-buyer.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { lastMsOf } from '#platform/listing/bounds.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import type { PaymentLink, PaymentLinkCreate } from './schemas.ts'
import { showLink, toTarget } from './show.ts'
import type { StoredLink } from './store.ts'
import * as links from './store.ts'

type Options = NonNullable<links.LinkDocument['connection_options']>

const LIFETIME_MS = 24 * 3_600_000

export async function createLink(
  scope: Scope,
  once: Once,
  engine: Pick<Engine, 'publicUrl' | 'secrets'>,
  request: PaymentLinkCreate,
): Promise<Finished<PaymentLink>> {
  const document = await documentOf(scope, request)
  return inFinalTransaction(scope, once, async (tx) => {
    const now = tx.clock()
    const link = await links.insert(tx, now, {
      amount: request.amount,
      currency: request.currency,
      country: request.country,
      intent: request.intent,
      payment_source: request.payment_source,
      store: request.store,
      external_identifier: request.external_identifier ?? null,
      buyer_id: document.buyer?.id ?? null,
      document,
      expires_at: expiryOf(request, now),
    })
    await auditLogs.record(tx, 'created', { type: 'payment-link', id: link.id, name: nameOf(link) })
    await events.publish(tx, ['payment-link.created'], toTarget(link, now))
    return showLink(engine, link, now)
  })
}

function expiryOf({ expires_at }: PaymentLinkCreate, now: Date): Date {
  return new Date(expires_at ? lastMsOf(expires_at, 'expires_at', 'body') : now.getTime() + LIFETIME_MS)
}

/** The buyer is kept as at this moment: what the link says stands, also if the buyer is deleted. */
async function documentOf(scope: Scope, request: PaymentLinkCreate): Promise<links.LinkDocument> {
  const named = {
    buyer_id: request.buyer_id ?? null,
    buyer_external_identifier: null,
    guest: request.buyer ?? null,
    shipping_details_id: null,
  }
  const { buyer, shipping } = await findBuyer(scope, named, null, () => true)
  return {
    buyer,
    shipping_details: shipping,
    cart_items: request.cart_items ?? null,
    metadata: request.metadata ?? null,
    statement_descriptor: request.statement_descriptor ?? null,
    connection_options: request.connection_options ? optionsOf(request.connection_options) : null,
    installment_count: request.installment_count ?? null,
    locale: request.locale ?? null,
    return_url: request.return_url ?? null,
    ...(request.required_fields?.length && { required_fields: request.required_fields }),
    merchant_name: request.merchant_name ?? null,
    merchant_url: request.merchant_url ?? null,
    merchant_banner_url: request.merchant_banner_url ?? null,
    merchant_color: request.merchant_color ?? null,
    merchant_message: request.merchant_message ?? null,
    merchant_terms_and_conditions_url: request.merchant_terms_and_conditions_url ?? null,
    merchant_favicon_url: request.merchant_favicon_url ?? null,
  }
}

/** Options that are null say nothing. Card numbers are not stored outside the vault. */
function optionsOf(given: NonNullable<PaymentLinkCreate['connection_options']>): Options {
  const said = Object.entries(withoutNumbers(given)).filter(([, options]) => options !== null)
  return Object.fromEntries(said) as Options
}

/** The link's name in the audit log. */
export function nameOf({ currency, amount }: Pick<StoredLink, 'currency' | 'amount'>): string {
  return `${currency} ${amount}`
}
