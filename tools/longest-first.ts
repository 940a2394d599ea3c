import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than ten seconds, the longest first. One that began last would keep one worker waiting. */
export const LONG = [
  'server/src/testing/every-operation.test.ts',
  'web/dashboard/sign-in/sign-in.pages.test.ts',
  'web/dashboard/insight.pages.test.ts',
  'web/dashboard/connections.pages.test.ts',
  'web/dashboard/developers.pages.test.ts',
  'web/pay/pay.test.ts',
  'server/src/platform/reference/layout.pages.test.ts',
  'web/dashboard/routing.pages.test.ts',
  'web/dashboard/transactions/transactions.pages.test.ts',
  'web/dashboard/payment-links/payment-links.pages.test.ts',
  'web/dashboard/settings.pages.test.ts',
  'server/src/resources/transactions/list.test.ts',
  'web/dashboard/payment-service-reports/payment-service-reports.pages.test.ts',
  'server/src/testing/upgrade/upgrade.process.test.ts',
  'client/client.process.test.ts',
  'server/src/cli/bins-import.process.test.ts',
  'server/src/cli/doctor.process.test.ts',
  'tools/release/release.process.test.ts',
  'web/dashboard/buyers/buyers.pages.test.ts',
  'server/src/cli/export.process.test.ts',
  'sandbox/resources/clock/routes.test.ts',
  'web/pay/embed.pages.test.ts',
  'web/dashboard/transactions/acts.pages.test.ts',
  'web/pay/challenge.pages.test.ts',
  'web/dashboard/sandbox/sandbox.pages.test.ts',
  'sandbox/resources/clock/move.test.ts',
  'web/fields/fields.test.ts',
  'server/src/cli/sandbox.process.test.ts',
  'server/src/resources/webhook-subscriptions/deliver.test.ts',
  'web/pay/wallets.pages.test.ts',
  'server/src/payments/gift-cards/redemptions.test.ts',
  'server/src/cli/listen.process.test.ts',
  'examples/shop/shop.process.test.ts',
  'server/src/platform/reference/openapi.test.ts',
  'web/dashboard/shell/frame.test.ts',
  'server/src/resources/metrics-explorer/routes.test.ts',
  'server/src/resources/approvals/page.summary.test.ts',
  'vault/client.test.ts',
  'connectors/switchyard-gift-card/connector.test.ts',
  'connectors/contract/guide.process.test.ts',
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
