import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { requestorIds } from '../network-tokens.ts'
import type { Request } from './restore.ts'

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is for other tests
type Json = any
type Ask = (method: string, route: string, options?: Partial<Request>) => Promise<Json>

const LOOK_MS = 100

/** Money to a card that an earlier version has stored, and tokens for it. */
export async function useStoredCard(ask: Ask): Promise<void> {
  const visa = (await ask('GET', '/payment-methods?limit=100')).items.find(
    ({ scheme, buyer }: Json) => scheme === 'visa' && buyer !== null,
  )
  const service = await simulatorOf(ask)
  await ask('PUT', '/merchant-accounts/default', { body: requestorIds('default') })

  const payout = await ask('POST', '/payouts', {
    body: {
      amount: 500,
      currency: 'USD',
      payment_service_id: service.id,
      payment_method: { method: 'id', id: visa.id },
    },
  })
  const token = await ask('POST', `/payment-methods/${visa.id}/network-tokens`, {
    body: { merchant_initiated: false, is_subsequent_payment: false },
  })
  const paid = await ask('POST', '/transactions', {
    body: { amount: 600, currency: 'USD', country: 'US', payment_method: { method: 'id', id: visa.id } },
  })

  expect(payout).toMatchObject({ status: 'succeeded', payment_method: { id: visa.id } })
  expect(token).toMatchObject({ type: 'network-token', status: 'active' })
  expect(paid).toMatchObject({ status: 'authorization_succeeded' })
}

/** Links, wallets and scenarios in an account that an earlier version has made. */
export async function useNewSettings(ask: Ask): Promise<void> {
  const link = await ask('POST', '/payment-links', { body: { amount: 900, currency: 'USD', country: 'US' } })
  await ask('POST', `/payment-links/${link.id}/expire`)
  const scenario = await ask('POST', '/three-ds-scenarios', {
    body: { conditions: { amount: 4_711 }, outcome: { authentication: { transaction_status: 'Y' } } },
  })
  const metric = await ask('POST', '/monitoring/metrics', {
    body: {
      display_name: 'Watch',
      spec: { params: { filters: { datetime_range: 'PT5M/now' } } },
      alerting_policy: { params: { alert_lt: 0.5 } },
      incident_policy: { params: { create_after_n: 1, close_after_n: 1 } },
    },
  })

  expect(await ask('GET', `/payment-links/${link.id}`)).toMatchObject({ status: 'expired' })
  expect(scenario).toMatchObject({ conditions: { amount: 4_711 } })
  expect(await ask('GET', `/monitoring/metrics/${metric.id}`)).toMatchObject({ display_name: 'Watch' })
}

/** Reports and charts of payments that an earlier version has taken. */
export async function reportOldPayments(ask: Ask, madeAt: string): Promise<void> {
  const [captured] = await capturedBefore(ask, madeAt)
  const report = await ask('POST', '/reports', {
    body: {
      name: 'Old payments',
      schedule: 'once',
      schedule_enabled: false,
      spec: { model: 'transactions', params: { fields: ['id', 'status'] } },
    },
  })
  const executions = `/reports/${report.id}/executions`
  const execution = await until(
    async () => (await ask('GET', executions)).items[0],
    ({ status }: Json) => ['succeeded', 'failed'].includes(status),
  )
  const { url } = await ask('POST', `${executions}/${execution.id}/url`, {})
  const file = await (await fetch(url)).text()
  const start = new Date(Date.parse(madeAt) - 86_400_000).toISOString()
  const module = 'authorization/metrics/transactions/modules/authorized'
  const counts = await ask('GET', `/metrics-explorer/${module}?datetime_range=${start}/P2D`)

  expect(execution).toMatchObject({ status: 'succeeded' })
  expect(file).toContain(`${captured.id},capture_succeeded`)
  expect(counts.find(({ key }: Json) => key === 'true').value).toBeGreaterThan(5)
}

/** Days later, money arrives for payments that an earlier version has captured, and a buyer disputes one. */
export async function settleOldPayments(ask: Ask, madeAt: string): Promise<void> {
  const service = await simulatorOf(ask)
  const payments = await capturedBefore(ask, madeAt)
  const captured = payments.find(({ payment_service }) => payment_service?.id === service.id)
  await ask('PUT', `/payment-services/${service.id}`, { body: { settlement_reporting_enabled: true } })
  await ask('POST', `/sandbox/payment-services/${service.id}/chargebacks`, {
    body: { transaction_id: captured.id, amount: 1 },
  })

  await ask('POST', '/sandbox/clock/advance', { body: { by: 'P4D' } })
  await until(
    () => ask('GET', '/sandbox/clock'),
    ({ status }: Json) => status === 'ready',
  )

  expect(await ask('GET', `/transactions/${captured.id}`)).toMatchObject({ settled: true, disputed: true })
}

/** The dump has them. */
async function capturedBefore(ask: Ask, madeAt: string): Promise<Json[]> {
  const { items } = await ask(
    'GET',
    `/transactions?status=capture_succeeded&limit=100&created_at_lte=${madeAt}`,
  )
  return items
}

async function simulatorOf(ask: Ask): Promise<Json> {
  const { items } = await ask('GET', '/payment-services?limit=100')
  return items.find(
    ({ payment_service_definition_id, active }: Json) =>
      payment_service_definition_id === 'mock-card' && active,
  )
}

/** Looks until it is so. The limit is the time of the test. */
async function until(look: () => Promise<Json>, isSo: (found: Json) => boolean): Promise<Json> {
  for (;;) {
    const found = await look()
    if (found !== undefined && isSo(found)) return found
    await sleep(LOOK_MS)
  }
}
