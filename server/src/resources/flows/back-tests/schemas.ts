import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { TRIED } from '../tried-rules.ts'
import { ACTIONS, FLOWS } from '../vocabulary.ts'

const STATUSES = ['pending', 'running', 'succeeded', 'failed'] as const

export const OPEN: readonly BackTestStatus[] = ['pending', 'running']
export const PENDING = 'pending' as const
export const RUNNING = 'running' as const
export const SUCCEEDED = 'succeeded' as const
export const FAILED = 'failed' as const

export const DAYS_MAX = 90

export const FlowBackTestCreate = Strict(
  {
    ...TRIED,
    created_at_gte: DateTime({ description: 'The rules are tried on payments from this time on.' }),
    created_at_lte: Type.Optional(
      DateTime({ description: `To this time; by default now. At most ${DAYS_MAX} days.` }),
    ),
  },
  { title: 'FlowBackTestCreate', examples: [{ version: 7, created_at_gte: '2026-10-15T00:00:00.000Z' }] },
)
export type FlowBackTestCreate = Static<typeof FlowBackTestCreate>

const SUMMARY = {
  type: Kind('flow-back-test'),
  id: Uuid(),
  merchant_account_id: Type.String(),
  status: OneOf(STATUSES),
  version: Nullable(Type.Integer({ description: 'Null: the rules came with the request.' })),
  created_at_gte: DateTime(),
  created_at_lte: DateTime(),
  progress: Strict({
    done: Type.Integer({ description: 'Payments that were tried so far.' }),
    total: Nullable(Type.Integer({ description: 'Null: they are not counted yet.' })),
  }),
  failure_reason: Nullable(Type.String()),
  created_at: DateTime(),
  finished_at: Nullable(DateTime()),
}

const Named = { payment_service_id: Uuid(), display_name: Nullable(Type.String()) }

const Approvals = Nullable(
  Strict(
    { approved: Type.Number(), low: Type.Number(), high: Type.Number() },
    {
      description:
        'How many of them the new service would probably approve, and between which numbers with 95 % certainty: by what it approved of payments with the same method and scheme in this time. Null: there were fewer than 100.',
    },
  ),
)

const Result = Strict(
  {
    rules: Type.Array(
      Strict({
        rule_id: Nullable(Uuid({ description: 'Null: the rule came with the request.' })),
        flow: OneOf(FLOWS),
        action: OneOf(ACTIONS),
        position: Type.Integer(),
        description: Nullable(Type.String()),
        payments: Type.Integer(),
      }),
      { description: 'How many payments each rule would have decided, in their order.' },
    ),
    services: Type.Array(
      Strict({
        ...Named,
        before: Type.Integer({ description: 'Payments that it took.' }),
        after: Type.Integer({ description: 'Payments for which it would be asked first.' }),
      }),
    ),
    moves: Type.Array(
      Strict({
        from: Nullable(Strict(Named)),
        to: Strict(Named),
        payments: Type.Integer(),
        approved: Type.Integer({ description: 'How many of them were approved where they went.' }),
        expected: Approvals,
        unknown: Type.Integer({ description: 'How many of them `expected` says nothing about.' }),
      }),
      {
        description:
          'Payments by the service that decided them and the one that would be asked first. Those that stay are in it as well.',
      },
    ),
    declined: Strict(
      { payments: Type.Integer(), approved: Type.Integer() },
      { description: 'Payments that rules would decline at once, and how many of them were approved.' },
    ),
    not_routable: Strict(
      { payments: Type.Integer(), approved: Type.Integer() },
      { description: 'Payments that no service of the rules could take.' },
    ),
    three_d_secure: Type.Array(
      Strict({ wish: OneOf(['attempt', 'force', 'skip']), payments: Type.Integer() }),
      { description: 'What rules would say about 3-D Secure.' },
    ),
    undecided: Type.Integer({ description: 'Payments without an outcome yet. They are left out above.' }),
    estimate: Strict(
      {
        payments: Type.Integer({ description: 'How many payments it is about.' }),
        approved_before: Type.Integer(),
        approved_after: Type.Number(),
        low: Type.Number(),
        high: Type.Number(),
        unknown: Type.Integer({ description: 'Payments that it says nothing about.' }),
      },
      {
        description:
          'An estimate of approvals, not a promise. It counts what the first service would answer, and no retries. Payments that stay count as they were; payments that rules decline count as not approved.',
      },
    ),
  },
  { title: 'FlowBackTestResult' },
)
export type FlowBackTestResult = Static<typeof Result>

const EXAMPLE = {
  type: 'flow-back-test',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0041',
  merchant_account_id: 'default',
  status: 'pending',
  version: 7,
  created_at_gte: '2026-10-15T00:00:00.000Z',
  created_at_lte: '2026-11-15T09:30:00.000Z',
  progress: { done: 0, total: null },
  failure_reason: null,
  created_at: '2026-11-15T09:30:00.000Z',
  finished_at: null,
}

const FlowBackTestSummary = Strict(SUMMARY, { title: 'FlowBackTestSummary', examples: [EXAMPLE] })
export type FlowBackTestSummary = Static<typeof FlowBackTestSummary>

export const FlowBackTests = CollectionOf(FlowBackTestSummary, 'FlowBackTests')
export const FlowBackTestFilters = Strict(pageParameters())

export const FlowBackTest = Strict(
  { ...SUMMARY, result: Nullable(Result) },
  { title: 'FlowBackTest', examples: [{ ...EXAMPLE, result: null }] },
)
export type FlowBackTest = Static<typeof FlowBackTest>

export type BackTestStatus = (typeof STATUSES)[number]
