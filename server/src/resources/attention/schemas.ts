import { DateTime, Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

/** The most urgent first: answers have this order. */
export const ATTENTION_KINDS = [
  'pending_reviews',
  'unresolvable_attempts',
  'stuck_payments',
  'open_chargebacks',
  'disputes_to_answer',
  'open_incidents',
  'failing_webhooks',
  'undelivered_events',
  'page_findings',
  'expiring_certificates',
  'unverified_services',
  'disabled_services',
  'unused_keys',
  'failing_report_feeds',
  'unmatched_report_lines',
] as const

/** An item says “100 or more” at most. */
export const COUNT_MAX = 100

const AttentionItem = Strict(
  {
    type: Kind('attention-item'),
    kind: OneOf(ATTENTION_KINDS),
    count: Type.Integer({ minimum: 1, maximum: COUNT_MAX }),
    has_more: Type.Boolean({ description: 'Whether there are more than `count`.' }),
    oldest_at: DateTime({
      description: 'Since when the oldest waits. Of a certificate: when the first one expires.',
    }),
    due_at: Nullable(
      DateTime({
        description:
          'The nearest deadline: until when a chargeback or a dispute can be answered, if the payment service has said so, or a certificate is valid.',
      }),
    ),
    path: Type.String({ description: 'The operation that shows them, or the oldest one.' }),
    query: Type.Record(Type.String(), Type.String(), { description: 'Its query.' }),
    ids: Type.Array(Type.String(), {
      maxItems: 5,
      description: 'The ids of the oldest, or of those with the nearest deadlines.',
    }),
  },
  { title: 'AttentionItem' },
)
export type AttentionItem = Static<typeof AttentionItem>

export const Attention = Strict(
  {
    type: Kind('attention'),
    items: Type.Array(AttentionItem, {
      description:
        'The most urgent kind first. Empty if nothing needs a person. A kind whose list you may not read is left out. ' +
        '`failing_webhooks` and `undelivered_events` have an item for each webhook subscription.',
    }),
    checked_at: DateTime(),
  },
  {
    title: 'Attention',
    examples: [
      {
        type: 'attention',
        items: [
          {
            type: 'attention-item',
            kind: 'pending_reviews',
            count: 2,
            has_more: false,
            oldest_at: '2026-11-15T08:10:00.000Z',
            due_at: null,
            path: '/transactions',
            query: { pending_review: 'true' },
            ids: ['0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001', '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002'],
          },
        ],
        checked_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type Attention = Static<typeof Attention>
