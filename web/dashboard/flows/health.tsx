import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { Button, Ways } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { EmptyCard, Loaded, Page, Section } from '../parts/page.tsx'
import { type Marks, Status, When } from '../parts/values.tsx'
import { methodName, schemeName } from '../transactions/words.ts'
import { countText, rateText, WAYS } from './words.ts'

type Health = Schemas['ServiceHealth']

const AGAIN_MS = 15_000

const STANDINGS: Marks<string> = {
  healthy: { tone: 'good', label: 'Healthy' },
  aside: { tone: 'bad', label: 'On hold' },
  unknown: { tone: 'wait', label: 'Not known' },
}

/** How the services do, as rules that choose by success or cost see them. */
export function HealthPage() {
  const health = useRead('GET /flows/health', { everyMs: AGAIN_MS })
  return (
    <Page
      title="Health of services"
      under="Learned from this account’s payments; older ones count less within hours. In brackets: the likely range."
    >
      <Ways {...WAYS} />
      <Loaded of={health}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyCard title="No payment services yet">Health appears once payments use them.</EmptyCard>
          ) : (
            <div className="stack">
              <div className="card flush table-card">
                <Table label="Health of services: rows" columns={COLUMNS} rows={items} />
              </div>
              {items
                .filter(({ segments }) => segments.length > 0)
                .map((item) => (
                  <Segments key={item.payment_service_id} of={item} />
                ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

type Segment = Health['segments'][number]

/** A rate, and between which ends it truly lies, where there is room. */
function Rate({ success_rate, interval }: Pick<Health, 'success_rate' | 'interval'>) {
  if (success_rate === null) return 'Not known'
  return (
    <>
      {rateText(success_rate)}
      {interval && (
        <span className="rate-interval">{` (${rateText(interval.low)} to ${rateText(interval.high)})`}</span>
      )}
    </>
  )
}

/** By scheme first, each followed by its currencies and countries: those with most payments first. */
function Segments({ of: { display_name, segments } }: { readonly of: Health }) {
  const [isWhole, setWhole] = useState(false)
  const ordered = inGroups(segments)
  const shown = isWhole ? ordered : ordered.slice(0, SHOWN)
  const hidden = ordered.length - shown.length
  return (
    <Section title={`${display_name}: by payment type`} isFlush>
      <Table label={`${display_name}: payment types`} columns={SEGMENT_COLUMNS} rows={shown} />
      {hidden > 0 && (
        <div className="more-kinds">
          <Button tone="quiet" onClick={() => setWhole(true)}>
            Show {hidden} more
          </Button>
        </div>
      )}
    </Section>
  )
}

const SHOWN = 6

function inGroups(segments: readonly Segment[]): readonly Segment[] {
  const byScheme = Map.groupBy(segments, ({ scheme }) => scheme)
  return [...byScheme.values()].flatMap((own) => [
    ...own.filter(({ currency }) => currency === null),
    ...own.filter(({ currency }) => currency !== null),
  ])
}

const SEGMENT_COLUMNS: readonly Column<Segment>[] = [
  column('kind', 'Payments', { look: 'kind', text: kindText }),
  column('rate', 'Approval rate', { isNumber: true, cell: Rate }),
  column('payments', 'Based on', {
    isNumber: true,
    from: 'tablet',
    cell: ({ payments }) => countText(payments),
  }),
]

function kindText({ scheme, currency, country }: Segment): string {
  const name = scheme === null ? 'Unknown scheme' : schemeName(scheme)
  if (currency === null) return `${name}, all`
  return `${name}, ${currency}, ${country === null ? 'unknown card country' : `cards from ${countryName(country)}`}`
}

const COLUMNS: readonly Column<Health>[] = [
  column('name', 'Service', { look: 'clip', text: 'display_name' }),
  column('status', 'Health', {
    cell: ({ status }) => (
      <Status tone={STANDINGS[status]?.tone ?? 'wait'}>{STANDINGS[status]?.label ?? status}</Status>
    ),
  }),
  column('rate', 'Approval rate', { isNumber: true, cell: Rate }),
  column('payments', 'Based on', {
    isNumber: true,
    from: 'tablet',
    cell: ({ payments }) => countText(payments),
  }),
  column('method', 'Method', { from: 'desktop', cell: ({ method }) => methodName(method) }),
  column('failures', 'Failures in a row', {
    isNumber: true,
    from: 'tablet',
    cell: ({ failures_in_a_row }) => failures_in_a_row,
  }),
  column('last', 'Last answer', {
    isNumber: true,
    from: 'desktop',
    cell: ({ last_outcome_at }) => (last_outcome_at === null ? '–' : <When at={last_outcome_at} />),
  }),
]
