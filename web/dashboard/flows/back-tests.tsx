import { useState } from 'react'
import { useAddress } from '../address.ts'
import { useMay } from '../api/me.ts'
import { Button } from '../parts/controls.tsx'
import { List } from '../parts/list/list.tsx'
import { Page } from '../parts/page.tsx'
import { exactText, Status, When } from '../parts/values.tsx'
import { StartBackTest } from './start-back-test.tsx'
import { Ways } from './ways.tsx'
import { BACK_TESTS, PROGRESS, progressText } from './words.ts'

/** Rules tried on the payments of the past. */
export function BackTestList() {
  const { go } = useAddress()
  const canStart = useMay()('transactions.read')
  const [isStarting, setStarting] = useState(false)
  const start = canStart && (
    <Button tone="main" icon="plus" onClick={() => setStarting(true)}>
      New back-test
    </Button>
  )
  return (
    <Page
      title="Back-tests"
      under="What the rules would have done with past payments. No payment is changed."
      actions={start}
    >
      <Ways />
      <List
        name="back-tests"
        route="GET /flows/back-tests"
        columns={[
          {
            id: 'created_at',
            title: 'Started',
            cell: ({ created_at }) => <When at={created_at} />,
            text: ({ created_at }) => created_at,
          },
          {
            id: 'status',
            title: 'Status',
            cell: (row) => <Status tone={PROGRESS[row.status].tone}>{progressText(row)}</Status>,
            text: progressText,
          },
          {
            id: 'version',
            title: 'Version',
            isNumber: true,
            cell: ({ version }) => version ?? 'Unsaved',
            text: ({ version }) => version,
          },
          {
            id: 'from',
            title: 'Payments from',
            from: 'tablet',
            cell: ({ created_at_gte }) => exactText(created_at_gte),
            text: ({ created_at_gte }) => created_at_gte,
          },
          {
            id: 'to',
            title: 'To',
            from: 'tablet',
            cell: ({ created_at_lte }) => exactText(created_at_lte),
            text: ({ created_at_lte }) => created_at_lte,
          },
        ]}
        to={({ id }) => `${BACK_TESTS.to}/${id}`}
        empty={{
          title: 'No back-tests yet',
          text: 'Test your rules on last week’s payments before you change them.',
          action: start,
        }}
      />
      {isStarting && (
        <StartBackTest onBegun={(id) => go(`${BACK_TESTS.to}/${id}`)} onClose={() => setStarting(false)} />
      )}
    </Page>
  )
}
