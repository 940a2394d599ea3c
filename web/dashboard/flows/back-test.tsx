import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { type Column, Table } from '../parts/list/table.tsx'
import { Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { exactText, Facts, Status } from '../parts/values.tsx'
import { ACTIONS, BACK_TESTS, countText, PROGRESS, progressText, titleOf } from './words.ts'

type BackTest = Schemas['FlowBackTest']
type Result = Schemas['FlowBackTestResult']
type Move = Result['moves'][number]

const AGAIN_MS = 1_000

export function BackTestDetail() {
  const { params } = useAddress()
  const [everyMs, setEveryMs] = useState<number | false>(false)
  const test = useRead('GET /flows/back-tests/{flow_back_test_id}', {
    path: { flow_back_test_id: params['id'] ?? '' },
    everyMs,
  })
  const isUnderWay = test.data?.status === 'pending' || test.data?.status === 'running'
  const wanted = isUnderWay ? AGAIN_MS : false
  if (wanted !== everyMs) setEveryMs(wanted)
  return <Loaded of={test}>{(it) => <Shown of={it} />}</Loaded>
}

function Shown({ of: it }: { readonly of: BackTest }) {
  return (
    <Page
      title={it.version === null ? 'Back-test of unsaved rules' : `Back-test of version ${it.version}`}
      back={BACK_TESTS}
      under={
        <>
          <Status tone={PROGRESS[it.status].tone}>{progressText(it)}</Status>
          <span>
            {exactText(it.created_at_gte)} to {exactText(it.created_at_lte)}
          </span>
        </>
      }
    >
      {it.failure_reason !== null && (
        <Notice tone="bad" title="Ended early">
          {it.failure_reason}
        </Notice>
      )}
      {it.result && <Found of={it.result} />}
    </Page>
  )
}

function Found({ of: result }: { readonly of: Result }) {
  // Too few payments leave nothing to say: the server then answers null.
  const estimate = result.estimate as Result['estimate'] | null
  return (
    <div className="stack">
      <Section title="Expected result">
        {estimate === null ? (
          <p>Unknown: fewer than 100 payments of each kind went to the new services.</p>
        ) : (
          <Facts
            facts={[
              ['Affected payments', countText(estimate.payments)],
              ['Approved then', countText(estimate.approved_before)],
              [
                'Expected to be approved',
                `${countText(estimate.approved_after)} (${countText(estimate.low)} to ${countText(estimate.high)})`,
              ],
              ['Payments without an estimate', countText(estimate.unknown)],
            ]}
          />
        )}
      </Section>
      <Section title="What would change">
        <Facts
          facts={[
            ['Declined by rules', partText(result.declined)],
            ['No service available', partText(result.not_routable)],
            ['Left out: no outcome yet', countText(result.undecided)],
          ]}
        />
      </Section>
      <Rows title="By rule" columns={RULES} rows={result.rules} none="No rule matched a payment." />
      <Rows title="By service" columns={SERVICES} rows={result.services} none="No service was asked." />
      <Rows
        title="Moved"
        columns={MOVES}
        rows={result.moves.filter(({ from, to }) => from?.payment_service_id !== to.payment_service_id)}
        none="Every payment would go to the same service."
      />
    </div>
  )
}

type RowsProps<Row> = {
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** What it means that there are none. */
  readonly none: string
}

function Rows<Row>({ title, columns, rows, none }: RowsProps<Row>) {
  if (rows.length === 0)
    return (
      <Section title={title}>
        <p className="quiet-text">{none}</p>
      </Section>
    )
  return (
    <Section title={title} isFlush>
      <Table label={`${title}: rows`} columns={columns} rows={rows} />
    </Section>
  )
}

function partText({ payments, approved }: Result['declined']): string {
  return payments === 0 ? 'None' : `${countText(payments)}, of which ${countText(approved)} were approved`
}

const RULES: readonly Column<Result['rules'][number]>[] = [
  { id: 'rule', title: 'Rule', look: 'wrap', text: titleOf },
  { id: 'action', title: 'Matches', from: 'tablet', cell: ({ action }) => ACTIONS[action].title },
  { id: 'payments', title: 'Payments', isNumber: true, cell: ({ payments }) => countText(payments) },
]

const SERVICES: readonly Column<Result['services'][number]>[] = [
  { id: 'name', title: 'Service', look: 'clip', text: ({ display_name }) => display_name ?? 'Deleted' },
  { id: 'before', title: 'Handled', isNumber: true, cell: ({ before }) => countText(before) },
  { id: 'after', title: 'Would handle first', isNumber: true, cell: ({ after }) => countText(after) },
]

const MOVES: readonly Column<Move>[] = [
  { id: 'from', title: 'From', look: 'breaks', text: ({ from }) => nameOf(from) },
  { id: 'to', title: 'To', look: 'breaks', text: ({ to }) => nameOf(to) },
  { id: 'payments', title: 'Payments', isNumber: true, cell: ({ payments }) => countText(payments) },
  {
    id: 'approved',
    title: 'Approved',
    isNumber: true,
    from: 'tablet',
    cell: ({ approved }) => countText(approved),
  },
  { id: 'expected', title: 'Expected to be approved', isNumber: true, cell: expectedText },
]

function nameOf(service: Move['from'] | null): string {
  return service === null ? 'None' : (service.display_name ?? 'Deleted')
}

function expectedText({ expected, payments }: Move): string {
  const known = expected as Move['expected'] | null
  if (known === null || payments === 0) return 'Unknown'
  return `${countText(known.approved)} (${countText(known.low)} to ${countText(known.high)})`
}
