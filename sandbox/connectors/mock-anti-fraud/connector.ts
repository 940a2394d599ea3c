import type { AntiFraudConnector, DecideAnswer, DecideOrder } from '#connectors/contract/anti-fraud.ts'
import type { Link } from '#connectors/contract/connector.ts'
import { manifest } from './manifest.ts'
import { readNotification } from './notification.ts'
import { send, toAnswer } from './wire.ts'

/** The sandbox's fraud prevention: the buyer's e-mail address decides. See docs/guide/anti-fraud.md. */
export const mockAntiFraud: AntiFraudConnector = { manifest, decide, readNotification }

async function decide(order: DecideOrder, link: Link): Promise<DecideAnswer> {
  return toAnswer(await send(link, toWire(order)))
}

function toWire({ buyer, ...order }: DecideOrder): object {
  return {
    transaction_id: order.transactionId,
    amount: order.amount,
    currency: order.currency,
    country: order.country,
    intent: order.intent,
    payment_source: order.paymentSource,
    merchant_initiated: order.isMerchantInitiated,
    is_subsequent_payment: order.isSubsequentPayment,
    ip_address: order.ipAddress,
    fingerprint: order.fingerprint,
    method: order.method,
    scheme: order.scheme,
    bin: order.bin,
    card_country: order.cardCountry,
    buyer: buyer && {
      id: buyer.id,
      external_identifier: buyer.externalIdentifier,
      email_address: buyer.emailAddress,
      phone_number: buyer.phoneNumber,
      first_name: buyer.firstName,
      last_name: buyer.lastName,
      country: buyer.country,
    },
    metadata: order.metadata,
  }
}
