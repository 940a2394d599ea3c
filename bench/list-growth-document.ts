import type { Document } from '#payments/document.ts'
import type { Row } from '#payments/store/payments.ts'
import { pick } from '../lab/dice.ts'
import { RARE } from './list-growth-rare.ts'

/** The document of a payment: about one and a half kilobytes. */
export function documentOf(row: Row, name: string | null, roll: () => number): Document {
  const address = {
    line1: '12 Long Street',
    line2: null,
    city: 'Springfield',
    postal_code: '12345',
    country: row.country,
  }
  const contact = {
    first_name: name,
    last_name: name,
    email_address: row.buyer_email_address,
    phone_number: null,
  }
  const metadata = {
    channel: pick<string>(
      [
        ['web', 70],
        ['app', 29],
        ['kiosk', 1],
      ],
      roll(),
    ),
    campaign: campaignOf(Math.floor(roll() * 200)),
    ...(row.currency === RARE.currency && { note: 'by hand' }),
  }
  return {
    payment_method: {
      id: row.payment_method_id,
      method: row.method ?? 'card',
      mode: row.method === 'card' ? 'card' : 'redirect',
      label: row.payment_method_label,
      scheme: row.payment_method_scheme,
      expiration_date: '12/30',
      fingerprint: row.payment_method_fingerprint,
      country: row.payment_method_country,
      currency: row.currency,
      external_identifier: null,
      last_replaced_at: null,
      details: { bin: row.payment_method_bin, card_type: 'credit', card_issuer_name: 'Test Bank' },
    },
    instrument_type: 'pan',
    buyer: row.buyer_id
      ? ({
          id: row.buyer_id,
          display_name: name,
          external_identifier: row.buyer_external_identifier,
          account_number: null,
          billing_details: { ...contact, address, tax_id: null },
        } as never)
      : null,
    shipping_details: { id: null, buyer_id: row.buyer_id, ...contact, address } as never,
    metadata,
    redirect_url: 'https://shop.example/thanks',
    connection_options: null,
    previous_scheme_transaction_id: null,
    previous_transaction_link_id: null,
    three_d_secure_data: null,
    challenge: null,
    holds_card: false,
    order: {
      cart_items: [1, 2].map((number) => ({
        name: `Article ${number}`,
        quantity: number,
        unit_amount: Math.floor(row.amount / 3),
        sku: `SKU-${number}`,
        product_type: 'physical',
        discount_amount: 0,
        tax_amount: 0,
      })),
      statement_descriptor: { name: 'SHOP', description: 'Order at the shop' },
    },
  }
}

export function campaignOf(number: number): string {
  return `campaign-${number}`
}
