import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { useNow } from '../api/me.ts'
import { Button } from '../parts/controls.tsx'
import { Choice, Labelled } from '../parts/labelled.tsx'
import { type Column, column, downloadCsv, Table } from '../parts/list/table.tsx'
import { Empty, EmptyCard, Loaded, Page, Section } from '../parts/page.tsx'
import { Money } from '../parts/values.tsx'
import { useServices } from './use-services.ts'

type Total = Schemas['SettlementTotal']
type Unit = 'day' | 'week' | 'month'

const DAY_MS = 86_400_000
const UNITS: readonly { readonly value: Unit; readonly label: string; readonly days: number }[] = [
  { value: 'day', label: 'Days', days: 30 },
  { value: 'week', label: 'Weeks', days: 91 },
  { value: 'month', label: 'Months', days: 365 },
]

/** What arrived and what it cost, by period: what finance asks at the end of a month. */
export function Totals() {
  const { search, change } = useAddress()
  const now = useNow()
  const { nameOf, options } = useServices()
  const unit = UNITS.find(({ value }) => value === search['unit']) ?? (UNITS.at(-1) as (typeof UNITS)[number])
  const service = String(search['payment_service_id'] ?? '')
  if (!now) return <Page title="Settlement totals">{null}</Page>
  const to = String(search['to'] ?? dayOf(now))
  const from = String(search['from'] ?? usualFirst(unit, now))
  const isRight = from !== '' && to !== '' && from <= to
  const typeInto = (name: 'from' | 'to') => (value: string) => change({ from, to, [name]: value })
  return (
    <Page
      title="Settlement totals"
      back={{ to: '/payment-service-reports', label: 'Settlements' }}
      under="By the day, in UTC, on which the payment service posted the money."
    >
      <div className="controls">
        <Choice
          label="Periods"
          value={unit.value}
          options={UNITS}
          onChoose={(value) => change({ unit: value, from: undefined, to: undefined })}
        />
        <Day label="From" value={from} onType={typeInto('from')} />
        <Day label="To" value={to} onType={typeInto('to')} />
        {options.length > 0 && (
          <Choice
            label="Service"
            value={service}
            options={[{ value: '', label: 'All' }, ...options]}
            onChoose={(value) => change({ payment_service_id: value || undefined })}
          />
        )}
      </div>
      {isRight ? (
        <Shown
          asked={{ unit: unit.value, from, to, ...(service && { payment_service_id: service }) }}
          nameOf={nameOf}
        />
      ) : (
        <EmptyCard title="Choose dates">The first day must not be after the last.</EmptyCard>
      )}
    </Page>
  )
}

function Day(props: {
  readonly label: string
  readonly value: string
  readonly onType: (value: string) => void
}) {
  return (
    <Labelled label={props.label}>
      {(id) => (
        <input
          id={id}
          type="date"
          value={props.value}
          onChange={({ target }) => props.onType(target.value)}
        />
      )}
    </Labelled>
  )
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** Whole months, so that each can be compared with the others. */
function usualFirst({ value, days }: (typeof UNITS)[number], now: Date): string {
  const first = dayOf(new Date(now.getTime() - days * DAY_MS))
  return value === 'month' ? `${first.slice(0, 7)}-01` : first
}

type ShownProps = {
  readonly asked: {
    readonly unit: Unit
    readonly from: string
    readonly to: string
    readonly payment_service_id?: string
  }
  readonly nameOf: (id: string) => string
}

function Shown({ asked, nameOf }: ShownProps) {
  const totals = useRead('GET /payment-service-reports/totals', { query: asked })
  const columns = columnsOf(asked.unit, nameOf)
  return (
    <Loaded of={totals}>
      {({ items }) =>
        items.length === 0 ? (
          <div className="card">
            <Empty title="No settlements in this time">
              Choose other dates. Totals appear when the first report file of a payment service was read.
            </Empty>
          </div>
        ) : (
          <div className="stack">
            {[...Map.groupBy(items, ({ currency }) => currency)].map(([currency, own]) => (
              <Section key={currency} title={`${currency}, ${asked.from} to ${asked.to}`}>
                <Sums currency={currency} totals={own} />
              </Section>
            ))}
            <Section
              title="By period"
              isFlush
              actions={
                <Button
                  tone="quiet"
                  onClick={() => downloadCsv(`settlements-${asked.from}-${asked.to}`, columns, items)}
                >
                  CSV
                </Button>
              }
            >
              <Table
                label="Settlement totals"
                columns={columns}
                rows={items}
                to={({ payment_service_id }) => ({
                  to: '/payment-service-reports',
                  search: { payment_service_id },
                })}
              />
            </Section>
          </div>
        )
      }
    </Loaded>
  )
}

type Sum = { readonly title: string; readonly amountOf: (total: Total) => number }

const SUMS: readonly Sum[] = [
  { title: 'Payments', amountOf: ({ payment_amount }) => payment_amount },
  { title: 'Refunds', amountOf: ({ refund_amount }) => refund_amount },
  {
    title: 'Chargebacks',
    amountOf: ({ chargeback_amount, chargeback_reversal_amount }) =>
      chargeback_amount + chargeback_reversal_amount,
  },
  { title: 'Other', amountOf: ({ other_amount }) => other_amount },
  { title: 'Fees', amountOf: ({ fee_amount }) => 0 - fee_amount },
  { title: 'Net', amountOf: ({ net_amount }) => net_amount },
]

function Sums({ currency, totals }: { readonly currency: string; readonly totals: readonly Total[] }) {
  return (
    <dl className="sums">
      {SUMS.map(({ title, amountOf }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <Money amount={totals.reduce((sum, total) => sum + amountOf(total), 0)} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function columnsOf(unit: Unit, nameOf: (id: string) => string): readonly Column<Total>[] {
  return [
    column('period', 'Period', {
      look: 'number',
      text: ({ period }) => (unit === 'month' ? period.slice(0, 7) : period),
    }),
    column('service', 'Service', {
      from: 'tablet',
      look: 'clip',
      text: ({ payment_service_id: id }) => nameOf(id),
    }),
    ...SUMS.map(({ title, amountOf }) =>
      column<Total>(title.toLowerCase(), title, {
        ...(title !== 'Net' && title !== 'Payments' && { from: 'desktop' as const }),
        isNumber: true,
        money: (total) => ({ amount: amountOf(total), currency: total.currency }),
      }),
    ),
    column('lines', 'Lines', { from: 'desktop', isNumber: true, text: 'line_count' }),
  ]
}
