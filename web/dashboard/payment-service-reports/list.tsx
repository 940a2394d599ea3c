import type { Schemas } from '../../api/schema.d.ts'
import { LinkButton } from '../parts/controls.tsx'
import type { Option } from '../parts/fields.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Page } from '../parts/page.tsx'
import { decimalText, Money, Status } from '../parts/values.tsx'
import { Feeds } from './feeds.tsx'
import { useServices } from './use-services.ts'
import { FILE_STATUSES, reportName } from './words.ts'

type Row = RowOf<'GET /payment-service-reports'>
type File = Schemas['PaymentServiceReportFile']

export function ReportList() {
  const services = useServices()
  return (
    <Page
      title="Settlements"
      under="What payment services report to have paid out to you."
      actions={
        <LinkButton to="/transactions" search={{ has_settlements: 'true' }}>
          Settled payments
        </LinkButton>
      }
    >
      <Feeds nameOf={services.nameOf} />
      <List
        name="settlements"
        route="GET /payment-service-reports"
        filters={filtersOf(services.options)}
        views={VIEWS}
        columns={columnsOf(services.nameOf)}
        to={({ id }) => `/payment-service-reports/${id}`}
        empty={{
          title: 'No report files yet',
          text: (
            <>
              Turn on settlement reporting for a payment service, and its files are read every hour. The guide{' '}
              <a href="/docs/guide/settlements">Settlements and chargebacks</a> shows how; in a sandbox, move
              the clock a day ahead and the simulator writes one.
            </>
          ),
        }}
      />
    </Page>
  )
}

function filtersOf(services: readonly Option[]): readonly Filter[] {
  return [
    {
      id: 'status',
      label: 'Status',
      kind: 'choice',
      isSingle: true,
      isUsual: true,
      options: Object.entries(FILE_STATUSES).map(([value, { label }]) => ({ value, label })),
    },
    {
      id: 'payment_service_id',
      label: 'Service',
      kind: 'choice',
      isSingle: true,
      isUsual: true,
      options: services,
    },
  ]
}

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  ...Object.entries(FILE_STATUSES).map(([status, { label }]) => ({ label, search: { status } })),
]

/** A corrected report has several files: the last one counts. */
function lastOf({ files }: Row): File | undefined {
  return files.at(-1)
}

function columnsOf(nameOf: (id: string) => string): readonly Column<Row>[] {
  return [
    { id: 'report', title: 'Report', look: 'breaks', text: reportName },
    {
      id: 'state',
      title: 'State',
      cell: (row) => <FileState file={lastOf(row)} />,
      text: (row) => FILE_STATUSES[lastOf(row)?.status ?? 'applied'].label,
    },
    {
      id: 'service',
      title: 'Service',
      from: 'tablet',
      look: 'clip',
      text: ({ payment_service_id }) => nameOf(payment_service_id),
    },
    { id: 'date', title: 'Day', from: 'tablet', look: 'number', text: (row) => lastOf(row)?.report_date },
    { id: 'lines', title: 'Lines', from: 'desktop', isNumber: true, text: (row) => lastOf(row)?.line_count },
    {
      id: 'unmatched',
      title: 'Not matched',
      from: 'tablet',
      isNumber: true,
      cell: (row) => (
        <Unsettled
          count={(lastOf(row)?.unmatched_line_count ?? 0) + (lastOf(row)?.flagged_line_count ?? 0)}
        />
      ),
      text: (row) => (lastOf(row)?.unmatched_line_count ?? 0) + (lastOf(row)?.flagged_line_count ?? 0),
    },
    {
      id: 'net',
      title: 'Net',
      isNumber: true,
      cell: (row) => <Net file={lastOf(row)} />,
      text: (row) => netText(lastOf(row)),
    },
    { id: 'created_at', title: 'Read', from: 'desktop', isTime: true, text: ({ created_at }) => created_at },
  ]
}

function FileState({ file }: { readonly file: File | undefined }) {
  if (!file) return <span className="quiet-text">No file yet</span>
  return <Status tone={FILE_STATUSES[file.status].tone}>{FILE_STATUSES[file.status].label}</Status>
}

/** Lines that a person has to look at. */
function Unsettled({ count }: { readonly count: number }) {
  return count > 0 ? <strong className="attention">{count}</strong> : <span className="quiet-text">0</span>
}

function Net({ file }: { readonly file: File | undefined }) {
  return file?.currency ? <Money amount={file.net_amount} currency={file.currency} /> : null
}

function netText(file: File | undefined): string | null {
  return file?.currency ? `${decimalText(file.net_amount, file.currency)} ${file.currency}` : null
}
