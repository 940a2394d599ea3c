import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { serviceNow } from '../api/service-time.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Link, Ways } from '../parts/controls.tsx'
import type { Field } from '../parts/fields.tsx'
import { field } from '../parts/fields.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { FactCard, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { exactText, Facts, Status, When } from '../parts/values.tsx'
import {
  ACTIONS,
  BACK_TESTS,
  countText,
  PRESENT_RULES,
  PROGRESS,
  progressText,
  titleOf,
  WAYS,
} from './words.ts'

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
      <Ways {...WAYS} />
      <List
        name="back-tests"
        route="GET /flows/back-tests"
        columns={COLUMNS}
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

const COLUMNS: readonly Column<RowOf<'GET /flows/back-tests'>>[] = [
  column('created_at', 'Started', { cell: ({ created_at }) => <When at={created_at} />, text: 'created_at' }),
  column('status', 'Status', {
    status: (row) => ({ tone: PROGRESS[row.status].tone, label: progressText(row) }),
  }),
  column('version', 'Version', {
    isNumber: true,
    cell: ({ version }) => version ?? 'Unsaved',
    text: 'version',
  }),
  column('from', 'Payments from', {
    from: 'tablet',
    cell: ({ created_at_gte }) => exactText(created_at_gte),
    text: 'created_at_gte',
  }),
  column('to', 'To', {
    from: 'tablet',
    cell: ({ created_at_lte }) => exactText(created_at_lte),
    text: 'created_at_lte',
  }),
]

const WEEK_MS = 7 * 24 * 3_600_000

const TIME: readonly Field[] = [
  field('moment', 'created_at_gte', 'Payments from', { isRequired: true, isHalf: true }),
  field('moment', 'created_at_lte', 'To', { isHalf: true, hint: 'Leave empty for now.' }),
]
const VERSION: Field = field('number', 'version', 'Rules version', { min: 1, hint: PRESENT_RULES })

type Props = {
  /** Rules that are not stored. Without them, a version is chosen. */
  readonly rules?: readonly Schemas['DraftRule'][]
  readonly onBegun: (id: string) => void
  readonly onClose: () => void
}

/** Begins to try rules on payments of the past. */
function StartBackTest({ rules, onBegun, onClose }: Props) {
  const now = serviceNow().getTime()
  return (
    <Ask
      title={rules ? 'Back-test of your changes' : 'New back-test'}
      verb="Start"
      says={
        rules
          ? 'All rules, with your changes to this one, are tested on every payment of the period. No payment changes, and no provider is contacted.'
          : 'The rules are tested on every payment of the period. No payment changes, and no provider is contacted.'
      }
      fields={rules ? TIME : [...TIME, VERSION]}
      initial={{ created_at_gte: new Date(now - WEEK_MS).toISOString() }}
      send={(body, idempotencyKey) =>
        send('POST /flows/back-tests', {
          body: { ...(body as Schemas['FlowBackTestCreate']), ...(rules && { rules: [...rules] }) },
          idempotencyKey,
        })
      }
      outcome="The back-test has started"
      onDone={({ id }) => onBegun(id)}
      onClose={onClose}
    />
  )
}

type Rules = readonly Schemas['DraftRule'][]

type BackTestCardProps = {
  /** All rules with the one that is written. Undefined: it is not whole yet. */
  readonly drafted: () => Rules | undefined
}

/** Tries what is written on payments of the past, before it is saved. */
export function BackTestCard({ drafted }: BackTestCardProps) {
  const isAllowed = useMay()('transactions.read')
  const [rules, setRules] = useState<Rules>()
  const [isUnfinished, setUnfinished] = useState(false)
  const [begun, setBegun] = useState<string>()
  if (!isAllowed) return null
  return (
    <Section title="Back-test">
      <div className="try">
        <p className="quiet-text">
          See what this rule would have done with last week’s payments, or with a period you choose.
        </p>
        <div className="actions">
          <Button
            onClick={() => {
              const found = drafted()
              setUnfinished(found === undefined)
              setRules(found)
            }}
          >
            Start back-test
          </Button>
        </div>
        {isUnfinished && (
          <Notice tone="wait" title="The rule is incomplete" isNews>
            The form shows what is missing.
          </Notice>
        )}
        {begun && <Begun key={begun} id={begun} />}
      </div>
      {rules && <StartBackTest rules={rules} onBegun={setBegun} onClose={() => setRules(undefined)} />}
    </Section>
  )
}

const AGAIN_MS = 1_000

/** How far it is. What was written stays on this page, so the result opens beside it. */
function Begun({ id }: { readonly id: string }) {
  const { data } = useRead('GET /flows/back-tests/{flow_back_test_id}', {
    path: { flow_back_test_id: id },
    everyMs: (found) => !found?.finished_at && AGAIN_MS,
  })
  return (
    <p className="begun" role="status">
      {data && <Status tone={PROGRESS[data.status].tone}>{progressText(data)}</Status>}
      <Link to={`${BACK_TESTS.to}/${id}`} className="text-link" target="_blank">
        Open the result in a new tab
      </Link>
    </p>
  )
}

type BackTest = Schemas['FlowBackTest']
type Result = Schemas['FlowBackTestResult']
type Move = Result['moves'][number]

export function BackTestDetail() {
  const { params } = useAddress()
  const test = useRead('GET /flows/back-tests/{flow_back_test_id}', {
    path: { flow_back_test_id: params['id'] ?? '' },
    everyMs: (found) => (found?.status === 'pending' || found?.status === 'running') && AGAIN_MS,
  })
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
      <FactCard
        title="What would change"
        facts={[
          ['Declined by rules', partText(result.declined)],
          ['No service available', partText(result.not_routable)],
          ['Left out: no outcome yet', countText(result.undecided)],
        ]}
      />
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
  column('rule', 'Rule', { look: 'wrap', text: titleOf }),
  column('action', 'Matches', { from: 'tablet', cell: ({ action }) => ACTIONS[action].title }),
  column('payments', 'Payments', { isNumber: true, cell: ({ payments }) => countText(payments) }),
]

const SERVICES: readonly Column<Result['services'][number]>[] = [
  column('name', 'Service', { look: 'clip', text: ({ display_name }) => display_name ?? 'Deleted' }),
  column('before', 'Handled', { isNumber: true, cell: ({ before }) => countText(before) }),
  column('after', 'Would handle first', { isNumber: true, cell: ({ after }) => countText(after) }),
]

const MOVES: readonly Column<Move>[] = [
  column('from', 'From', { look: 'breaks', text: ({ from }) => nameOf(from) }),
  column('to', 'To', { look: 'breaks', text: ({ to }) => nameOf(to) }),
  column('payments', 'Payments', { isNumber: true, cell: ({ payments }) => countText(payments) }),
  column('approved', 'Approved', {
    isNumber: true,
    from: 'tablet',
    cell: ({ approved }) => countText(approved),
  }),
  column('expected', 'Expected to be approved', { isNumber: true, cell: expectedText }),
]

function nameOf(service: Move['from'] | null): string {
  return service === null ? 'None' : (service.display_name ?? 'Deleted')
}

function expectedText({ expected, payments }: Move): string {
  const known = expected as Move['expected'] | null
  if (known === null || payments === 0) return 'Unknown'
  return `${countText(known.approved)} (${countText(known.low)} to ${countText(known.high)})`
}
