import { type Static, Type } from 'typebox'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { isAside, type Score } from '#processing/scores/score.ts'

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
export type ServiceHealth = Static<typeof ServiceHealth>

export const FlowHealth = Strict(
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
export type FlowHealth = Static<typeof FlowHealth>

export function standingOf(score: Score | undefined): (typeof STANDINGS)[number] {
  if (!score) return 'unknown'
  return isAside(score) ? 'aside' : 'healthy'
}
