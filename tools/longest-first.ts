import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than fifteen seconds, the longest first. One that began last would keep one worker waiting. */
export const LONG = [
  'server/src/start.test.ts',
  'server/src/platform/reference/layout.test.ts',
  'web/pay/pay.test.ts',
  'server/src/testing/every-operation.test.ts',
  'server/src/resources/sandbox/clock/move.test.ts',
  'server/src/resources/sandbox/clock/routes.test.ts',
  'web/pay/embed.test.ts',
  'server/src/stop.test.ts',
  'server/src/resources/sandbox/clock/advance.test.ts',
  'server/src/resources/transactions/list.test.ts',
  'server/src/testing/upgrade/upgrade.test.ts',
  'examples/shop/shop.test.ts',
  'web/fields/fields.test.ts',
  'server/src/resources/metrics-explorer/facts/fill.test.ts',
  'server/src/resources/transactions/approval/summary.test.ts',
]

/** Begins with the long files, also in a new checkout, where no earlier run has left its times. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONG.findIndex((file) => moduleId.endsWith(file))
      return rank === -1 ? LONG.length : rank
    }
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
