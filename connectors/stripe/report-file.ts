import { type Body, isObject } from './wire.ts'

/**
 * The lines that we write of a payout: JSON, one to a line, with the fields that settlement needs and none about the
 * buyer. The same payout gives the same bytes.
 */

export function fileHeader({ id, amount, currency, arrival_date, destination }: Body): Buffer {
  return line({ line: 'payout', id, amount, currency, arrival_date, destination: destination ?? null })
}

export function fileLine(transaction: Body): Buffer {
  const { id, type, reporting_category, amount, fee, net, currency, exchange_rate, created, source } =
    transaction
  return line({
    line: 'transaction',
    id,
    type,
    reporting_category,
    amount,
    fee,
    net,
    currency,
    exchange_rate: exchange_rate ?? null,
    created,
    source: isObject(source) ? shortSource(source) : null,
  })
}

export function fileTrailer(count: number): Buffer {
  return line({ line: 'end', count })
}

function shortSource(source: Body): object {
  const { object, id, amount, currency, payment_intent, reason, network_reason_code } = source
  const charge = object === 'charge' ? source : isObject(source['charge']) ? source['charge'] : {}
  const details = isObject(charge['payment_method_details']) ? charge['payment_method_details'] : {}
  const metadata = isObject(source['metadata']) ? source['metadata'] : {}
  return {
    object,
    id,
    amount,
    currency,
    payment_intent: isObject(payment_intent) ? payment_intent['id'] : (payment_intent ?? null),
    method: details['type'] ?? null,
    attempt: metadata['attempt'] ?? null,
    reason: reason ?? null,
    network_reason_code: network_reason_code ?? null,
  }
}

function line(fields: object): Buffer {
  return Buffer.from(`${JSON.stringify(fields)}\n`)
}
