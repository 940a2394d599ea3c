import type { Place } from '../lab/product.ts'

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is what is being tested
type Json = any
export type Ask = (route: string, body?: object, account?: string) => Promise<Json>

export const OTHER_ACCOUNT = 'other-shop'

export const ORDER = {
  amount: 1299,
  currency: 'USD',
  country: 'US',
  payment_method: {
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/40',
    security_code: '123',
  },
}

export function askerOf({ url, token }: Place): Ask {
  return async (route, body, account = 'default') => {
    const [method = '', path = ''] = route.split(' ')
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-service-merchant-account-id': account,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${route} was answered ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** The service that is there from the start, with everything that the simulator can do. */
export async function simulatorOf(ask: Ask): Promise<string> {
  return (await ask('GET /payment-services?limit=100')).items.findLast(
    ({ payment_service_definition_id: definition }: Json) => definition === 'mock-card',
  ).id
}

export function payAndCapture(ask: Ask): Promise<Json> {
  return ask('POST /transactions', { ...ORDER, intent: 'capture' })
}

/** Disputes a payment, as the bank of a buyer would. */
export async function disputeOne(ask: Ask, operationId: string): Promise<string> {
  const { id, payment_service } = await payAndCapture(ask)
  const sandbox = `POST /sandbox/payment-services/${payment_service.id}`
  await ask(`${sandbox}/chargebacks`, { transaction_id: id })
  await ask(`${sandbox}/notifications`, { transaction_id: id })
  const [chargeback] = (await ask(`GET /transactions/${id}/chargebacks`)).items
  if (operationId === 'delete_chargeback_answer')
    await ask(`PUT /chargebacks/${chargeback.id}/answer`, { note: 'walk' })
  return chargeback.id
}
