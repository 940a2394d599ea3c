import type { Instrument } from '#connectors/contract/orders.ts'
import type {
  AuthenticateOrder,
  Browser,
  Prepared as FromBrowser,
  Scenario,
  SchemeMerchant,
} from '#connectors/contract/three-d-secure.ts'
import { minorUnitsOf } from '#domain/currency.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { ThreeDSConfiguration } from '#resources/merchant-accounts/three-ds-configurations/schemas.ts'
import * as configurations from '#resources/merchant-accounts/three-ds-configurations/store.ts'
import { completionUrl } from '../approval.ts'
import type { Document } from '../document.ts'
import { amountForMethod } from '../state.ts'
import type { Row } from '../store/payments.ts'
import type { Server } from './three-ds-server.ts'

type Payer = Pick<
  Row,
  | 'id'
  | 'merchant_account_id'
  | 'amount'
  | 'gift_card_amount'
  | 'currency'
  | 'ip_address'
  | 'payment_source'
  | 'is_subsequent_payment'
  | 'buyer_id'
  | 'buyer_email_address'
  | 'buyer_external_identifier'
  | 'payment_method_fingerprint'
  | 'payment_method_scheme'
>

export type Paid = {
  readonly row: Payer
  readonly document: Pick<Document, 'buyer' | 'shipping_details' | 'order'>
}

type Asked = Paid & {
  readonly card: Extract<Instrument, { kind: 'card' }>
  readonly scenario: Scenario | null
  readonly browser: Browser | null
  readonly prepared: FromBrowser | null
  /** Those of the payment service that is to charge the card. */
  readonly profiles: Profiles
}

/** What a 3-D Secure server is asked about a payment. */
export async function orderFor(
  scope: Scope,
  engine: Engine,
  { service }: Server,
  { row, document, card, profiles, ...asked }: Asked,
): Promise<AuthenticateOrder> {
  return {
    transactionId: row.id,
    amount: amountIn({ row, document }),
    currency: row.currency,
    minorUnits: minorUnitsOf(row.currency) ?? 0,
    number: card.number,
    expirationDate: card.expirationDate,
    scheme: row.payment_method_scheme ?? 'other',
    billing: document.buyer?.billing_details ?? null,
    shipping: document.shipping_details,
    hasAccount: row.buyer_id !== null || row.buyer_external_identifier !== null,
    isFirstOfSeries: SERIES.has(row.payment_source) && !row.is_subsequent_payment,
    scenario: asked.scenario,
    browser: asked.browser,
    prepared: asked.prepared,
    returnUrl: completionUrl(engine, row),
    // A simulator knows no schemes.
    merchant: service && (await merchantFor(scope, row, profiles)),
  }
}

const SERIES: ReadonlySet<string> = new Set(['recurring', 'installment', 'card_on_file'])

/** The card's issuer need not know what gift cards pay. */
export function amountIn({ row, document }: Paid): number {
  return document.order.three_d_secure?.amount ?? amountForMethod(row)
}

/** The browser as the merchant has described it, before the buyer is with us. */
export function browserIn({ row, document }: Paid): Browser | null {
  const info = document.order.browser_info
  return info
    ? {
        acceptHeader: info.accept_header ?? null,
        userAgent: info.user_agent,
        ipAddress: row.ip_address,
        language: info.language,
        javaEnabled: info.java_enabled,
        javascriptEnabled: info.javascript_enabled,
        colorDepth: info.color_depth,
        screenHeight: info.screen_height,
        screenWidth: info.screen_width,
        timeZoneOffset: info.time_zone_offset,
      }
    : null
}

type Profile = Pick<
  ThreeDSConfiguration,
  | 'merchant_acquirer_bin'
  | 'merchant_acquirer_id'
  | 'merchant_name'
  | 'merchant_country_code'
  | 'merchant_category_code'
  | 'merchant_url'
>
export type Profiles = Readonly<Partial<Record<string, Profile>>> | null

/** As the payment service is known to the scheme, which is to charge the card, or else as the merchant account says. */
async function merchantFor(
  scope: Scope,
  { payment_method_scheme, currency }: Payer,
  profiles: Profiles,
): Promise<SchemeMerchant | null> {
  const scheme = payment_method_scheme ?? 'other'
  const found = profiles?.[scheme] ?? (await configurations.findFor(scope, scheme, currency))
  return found
    ? {
        acquirerBin: found.merchant_acquirer_bin,
        acquirerMerchantId: found.merchant_acquirer_id,
        name: found.merchant_name,
        countryCode: found.merchant_country_code,
        categoryCode: found.merchant_category_code,
        url: found.merchant_url,
      }
    : null
}
