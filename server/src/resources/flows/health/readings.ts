import type { Context } from '#platform/database/db.ts'
import type { Reading } from '#platform/observability/readings.ts'
import { isAside, rateOf } from '#processing/scores/score.ts'
import * as scores from '#processing/scores/store.ts'

const RATE = 'switchyard_payment_service_success_rate'
const ASIDE = 'switchyard_payment_service_aside'
const SHOWN_MAX = 500

export const healthReading: Reading<{ readonly context: Context }> = {
  name: 'service-health',
  gauges: [
    {
      name: RATE,
      help: 'The recent success rate of a payment service, from 0 to 1, as routing by success sees it',
      labels: ['merchant_account_id', 'payment_service_id', 'method'],
    },
    {
      name: ASIDE,
      help: 'Whether a payment service is set aside after too many failures in a row (1) or not (0)',
      labels: ['merchant_account_id', 'payment_service_id', 'method'],
    },
  ],
  read: async ({ context }) =>
    (await scores.listCoarse(context, SHOWN_MAX)).flatMap((score) => {
      const { merchant_account_id, payment_service_id, segment: method } = score
      const labels = { merchant_account_id, payment_service_id, method }
      return [
        { gauge: RATE, labels, value: rateOf(score) },
        { gauge: ASIDE, labels, value: isAside(score) ? 1 : 0 },
      ]
    }),
}
