import { type Static, Type } from 'typebox'
import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'

const UnreadReportFile = Strict(
  {
    name: Type.String({ description: 'As the payment service names it.' }),
    published_at: DateTime(),
    problem: Nullable(Type.String({ description: 'Why it could not be read the last time.' })),
    tries: Type.Integer({ minimum: 0 }),
    next_try_at: Nullable(DateTime()),
  },
  { title: 'UnreadReportFile' },
)

const PaymentServiceReportFeed = Strict(
  {
    type: Kind('payment-service-report-feed'),
    payment_service_id: Uuid(),
    problem: Nullable(
      Type.String({
        description: 'Why the payment service could not be asked the last time. Null if it could.',
      }),
    ),
    failures: Type.Integer({ minimum: 0, description: 'How often in a row it could not be asked.' }),
    listed_at: Nullable(DateTime({ description: 'When it was last asked with success.' })),
    next_look_at: DateTime({ description: 'When it is asked again.' }),
    unread_files: Type.Array(UnreadReportFile, {
      description: 'Files that it offers and that are not read yet, oldest first. At most 100.',
    }),
  },
  { title: 'PaymentServiceReportFeed' },
)
export type PaymentServiceReportFeed = Static<typeof PaymentServiceReportFeed>

export const PaymentServiceReportFeeds = Strict(
  { items: Type.Array(PaymentServiceReportFeed) },
  {
    title: 'PaymentServiceReportFeeds',
    examples: [
      {
        items: [
          {
            type: 'payment-service-report-feed',
            payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006',
            problem: null,
            failures: 0,
            listed_at: '2026-11-16T02:05:01.000Z',
            next_look_at: '2026-11-16T03:05:00.000Z',
            unread_files: [
              {
                name: 'settlement-2026-11-15-USD.csv',
                published_at: '2026-11-16T02:00:00.000Z',
                problem: 'the processor did not deliver the file (503)',
                tries: 1,
                next_try_at: '2026-11-16T02:07:01.000Z',
              },
            ],
          },
        ],
      },
    ],
  },
)
