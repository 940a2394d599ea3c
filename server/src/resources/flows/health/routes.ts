import type { Context, Scope } from '#platform/database/db.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import type { Reading } from '#platform/observability/readings.ts'
import type { Engine } from '#processing/engine.ts'
import { countOf, intervalOf, isAside, rateOf, readSegment, type Score } from '#processing/scores/score.ts'
import * as scores from '#processing/scores/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'

/** How a payment service stands with rules that choose by success. */
const STANDINGS = ['healthy', 'aside', 'unknown'] as const

const FIGURES = {
  success_rate: Nullable(
    Type.Number({
      description:
        'Of 1. Approved payments, over these and the refusals that another service may not have given. Null: nothing is known.',
    }),
  ),
  interval: Nullable(
    Strict(
      { low: Type.Number(), high: Type.Number() },
      { description: 'The true rate lies between these with 95 % certainty.' },
    ),
  ),
  payments: Type.Integer({
    description:
      'How many recent payments the figures stand for. Half of what is known fades after 1,000 payments or six hours.',
  }),
}

const ServiceHealth = Strict(
  {
    type: Kind('service-health'),
    payment_service_id: Uuid(),
    display_name: Type.String(),
    method: Type.String(),
    status: OneOf(STANDINGS, {
      description:
        '`aside`: it fails too often in a row. Rules with the strategy `success_rate` or `least_cost` ask it after all others, and try it every 30 seconds. `unknown`: no payment has told anything of it lately.',
    }),
    ...FIGURES,
    failures_in_a_row: Type.Integer(),
    failing_since: Nullable(DateTime({ description: 'The first of these failures.' })),
    last_outcome_at: Nullable(DateTime()),
    segments: Type.Array(
      Strict({
        scheme: Nullable(Type.String()),
        currency: Nullable(Type.String({ description: 'Null: any.' })),
        country: Nullable(Type.String({ description: 'The country of the card. Null: any, or not known.' })),
        ...FIGURES,
      }),
      { description: 'The same by kind of payment, those with most payments first; at most 50.' },
    ),
  },
  { title: 'ServiceHealth' },
)
type ServiceHealth = Static<typeof ServiceHealth>

const FlowHealth = Strict(
  { items: Type.Array(ServiceHealth) },
  {
    title: 'FlowHealth',
    examples: [
      {
        items: [
          {
            type: 'service-health',
            payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0011',
            display_name: 'Mock cards',
            method: 'card',
            status: 'healthy',
            success_rate: 0.931,
            interval: { low: 0.911, high: 0.947 },
            payments: 812,
            failures_in_a_row: 0,
            failing_since: null,
            last_outcome_at: '2026-11-15T09:30:00.000Z',
            segments: [
              {
                scheme: 'visa',
                currency: null,
                country: null,
                success_rate: 0.94,
                interval: { low: 0.91, high: 0.96 },
                payments: 402,
              },
            ],
          },
        ],
      },
    ],
  },
)
type FlowHealth = Static<typeof FlowHealth>

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

const SEGMENTS_MAX = 50

export function flowHealthRoutes({ engine }: { readonly engine: Engine }): Operation[] {
  return [
    operation({
      id: 'get_flow_health',
      route: 'GET /flows/health',
      tag: 'Flows',
      summary: 'Get flow health',
      description:
        'How the payment services of the merchant account have fared lately. Rules with the strategy `success_rate` choose by it. Every attempt teaches, whatever rule sent it there; refusals that any service would have given, such as an empty account, do not count. Merchant accounts never share what they have learned.',
      scope: 'flows.read',
      concerns: 'merchant-account',
      responses: { 200: FlowHealth },
      handler: (call) => showHealth(scopeOf(call), engine),
    }),
  ]
}

/** How each payment service of the account has fared lately, as all processes know it. */
async function showHealth(scope: Scope, engine: Engine): Promise<FlowHealth> {
  await engine.scores.flush()
  const services = await paymentServices.listLive(scope)
  const byService = Map.groupBy(await scores.listOf(scope), ({ payment_service_id }) => payment_service_id)
  return { items: services.map((service) => healthOf(service, byService.get(service.id) ?? [])) }
}

function healthOf(
  { id, display_name, method }: paymentServices.StoredService,
  rows: readonly scores.StoredScore[],
): ServiceHealth {
  const finer = rows.filter(({ segment }) => segment !== method)
  const whole = rows.find(({ segment }) => segment === method)
  return {
    type: 'service-health',
    payment_service_id: id,
    display_name,
    method,
    status: standingOf(whole),
    ...figuresOf(whole),
    failures_in_a_row: whole?.failures_in_a_row ?? 0,
    failing_since: whole?.failing_since?.toISOString() ?? null,
    last_outcome_at: whole?.last_outcome_at.toISOString() ?? null,
    segments: finer
      .toSorted((a, b) => countOf(b) - countOf(a))
      .slice(0, SEGMENTS_MAX)
      .map((row) => {
        const { method: _, ...segment } = readSegment(row.segment)
        return { ...segment, ...figuresOf(row) }
      }),
  }
}

function figuresOf(score: Score | undefined): Pick<ServiceHealth, 'success_rate' | 'interval' | 'payments'> {
  if (!score) return { success_rate: null, interval: null, payments: 0 }
  const { low, high } = intervalOf(score)
  return {
    success_rate: rounded(rateOf(score)),
    interval: { low: rounded(low), high: rounded(high) },
    payments: Math.round(countOf(score)),
  }
}

function rounded(rate: number): number {
  return Math.round(rate * 10_000) / 10_000
}

function standingOf(score: Score | undefined): (typeof STANDINGS)[number] {
  if (!score) return 'unknown'
  return isAside(score) ? 'aside' : 'healthy'
}
