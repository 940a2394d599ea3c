import type { Scope } from '#platform/database/db.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { rulesAt } from '../show.ts'
import { ACTIONS_OF, FLOWS } from '../vocabulary.ts'
import { estimateOf, type Move, movesOf, rounded } from './estimate.ts'
import { type FlowBackTest, type FlowBackTestResult, type FlowBackTestSummary, SUCCEEDED } from './schemas.ts'
import type { StoredBackTest } from './store.ts'

export function summarize(test: StoredBackTest): FlowBackTestSummary {
  return {
    type: 'flow-back-test',
    id: test.id,
    merchant_account_id: test.merchant_account_id,
    status: test.status,
    version: test.version,
    created_at_gte: test.created_at_gte.toISOString(),
    created_at_lte: test.created_at_lte.toISOString(),
    progress: { done: Number(test.done), total: test.total === null ? null : Number(test.total) },
    failure_reason: test.failure_reason,
    created_at: test.created_at.toISOString(),
    finished_at: test.finished_at?.toISOString() ?? null,
  }
}

export async function showBackTest(scope: Scope, test: StoredBackTest): Promise<FlowBackTest> {
  return { ...summarize(test), result: test.status === SUCCEEDED ? await resultOf(scope, test) : null }
}

async function resultOf(
  scope: Scope,
  { tally, rules, version }: StoredBackTest,
): Promise<FlowBackTestResult> {
  const moves = movesOf(tally)
  const ids = new Set(moves.flatMap(({ from, to }) => (from === null ? [to] : [from, to])))
  const known = await paymentServices.findMany(scope, [...ids])
  const name = (id: string) => ({
    payment_service_id: id,
    display_name: known.get(id)?.display_name ?? null,
  })
  return {
    rules: FLOWS.flatMap((flow) => ACTIONS_OF[flow].map((action) => ({ flow, action }))).flatMap((place) =>
      rulesAt(rules, place).map(({ id, description }, position) => ({
        rule_id: version === null ? null : id,
        ...place,
        position,
        description,
        payments: tally.rules[id] ?? 0,
      })),
    ),
    services: [...ids].map((id) => ({
      ...name(id),
      before: sumOf(moves.filter(({ from }) => from === id)),
      after: sumOf(moves.filter(({ to }) => to === id)),
    })),
    moves: moves.map(({ from, to, expected, unknownApproved: _ofUnknown, ...move }) => ({
      from: from === null ? null : name(from),
      to: name(to),
      ...move,
      expected: expected && {
        approved: rounded(expected.approved),
        low: rounded(expected.low),
        high: rounded(expected.high),
      },
    })),
    declined: tally.declined,
    not_routable: tally.unroutable,
    three_d_secure: (['attempt', 'force', 'skip'] as const).flatMap((wish) => {
      const payments = tally.threeDSecure[wish]
      return payments === undefined ? [] : [{ wish, payments }]
    }),
    undecided: tally.undecided,
    estimate: estimateOf(moves, tally),
  }
}

function sumOf(moves: readonly Move[]): number {
  return moves.reduce((sum, { payments }) => sum + payments, 0)
}
