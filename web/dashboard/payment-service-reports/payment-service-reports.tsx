import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { LinkButton } from '../parts/controls.tsx'
import type { Option } from '../parts/fields.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Loaded, Notice, Page, Section } from '../parts/page.tsx'
import {
  decimalText,
  Facts,
  Id,
  Marked,
  type Marks,
  Money,
  optionsOf,
  Status,
  When,
} from '../parts/values.tsx'
import { Totals } from './totals.tsx'
import { useServices } from './use-services.ts'
import './payment-service-reports.css'

export const pages = { '/': ReportList, '/totals': Totals, '/$id': ReportDetail }

type File = Schemas['PaymentServiceReportFile']
type Line = Schemas['PaymentServiceReportLine']

const FILE_STATUSES: Marks<File['status']> = {
  applying: { tone: 'wait', label: 'Being read' },
  applied: { tone: 'good', label: 'Applied' },
  refused: { tone: 'bad', label: 'Rejected' },
  abandoned: { tone: 'mute', label: 'Replaced' },
}

const LINE_KINDS: Readonly<Record<Line['kind'], string>> = {
  settlement: 'Payment',
  refund_settlement: 'Refund',
  chargeback: 'Chargeback',
  chargeback_reversal: 'Chargeback reversal',
  other: 'Other',
}

/** Why a line belongs to no payment. */
const UNMATCHED: Readonly<Record<NonNullable<Line['unmatched_because']>, string>> = {
  unknown_reference: 'No payment with this reference',
  not_decided: 'The payment is still processing',
  not_succeeded: 'The payment did not succeed',
  other_currency: 'The payment has another currency',
  duplicate: 'Duplicate of another line',
  differs: 'It differs from an earlier line',
  late_sale: 'Arrived too late',
  unreadable: 'The line cannot be read',
}

/** What does not add up although the payment is known. */
const FLAGS: Readonly<Record<NonNullable<Line['flag']>, string>> = {
  below_expected: 'Less than was captured',
  above_expected: 'More than was captured',
  other_exchange: 'Different exchange rate',
}

/** By its newest file. What only notifications have told of has none. */
function reportName({ files, external_identifier }: Schemas['PaymentServiceReport']): string {
  return files.at(-1)?.names[0] ?? external_identifier ?? 'From notifications'
}

const LIST = { to: '/payment-service-reports', label: 'Settlements' }

type Row = RowOf<'GET /payment-service-reports'>

function ReportList() {
  const services = useServices()
  return (
    <Page
      title="Settlements"
      under="What payment services report to have paid out to you."
      actions={
        <>
          <LinkButton to="/payment-service-reports/totals">Totals</LinkButton>
          <LinkButton to="/transactions" search={{ has_settlements: 'true' }}>
            Settled payments
          </LinkButton>
        </>
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
    filterBy('choice', 'status', 'Status', {
      isSingle: true,
      isUsual: true,
      options: optionsOf(FILE_STATUSES),
    }),
    filterBy('choice', 'payment_service_id', 'Service', { isSingle: true, isUsual: true, options: services }),
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
    column('report', 'Report', { look: 'breaks', text: reportName }),
    column('state', 'State', {
      cell: (row) => <FileState file={lastOf(row)} />,
      text: (row) => FILE_STATUSES[lastOf(row)?.status ?? 'applied'].label,
    }),
    column('service', 'Service', {
      from: 'tablet',
      look: 'clip',
      text: ({ payment_service_id }) => nameOf(payment_service_id),
    }),
    column('date', 'Day', { from: 'tablet', look: 'number', text: (row) => lastOf(row)?.report_date }),
    column('lines', 'Lines', { from: 'desktop', isNumber: true, text: (row) => lastOf(row)?.line_count }),
    column('unmatched', 'Not matched', {
      from: 'tablet',
      isNumber: true,
      cell: (row) => (
        <Unsettled
          count={(lastOf(row)?.unmatched_line_count ?? 0) + (lastOf(row)?.flagged_line_count ?? 0)}
        />
      ),
      text: (row) => (lastOf(row)?.unmatched_line_count ?? 0) + (lastOf(row)?.flagged_line_count ?? 0),
    }),
    column('net', 'Net', {
      isNumber: true,
      cell: (row) => <Net file={lastOf(row)} />,
      text: (row) => netText(lastOf(row)),
    }),
    column('created_at', 'Read', { from: 'desktop', isTime: true, text: 'created_at' }),
  ]
}

function FileState({ file }: { readonly file: File | undefined }) {
  if (!file) return <span className="quiet-text">No file yet</span>
  return <Marked of={FILE_STATUSES[file.status]} />
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

type Feed = Schemas['PaymentServiceReportFeed']

/** Services whose files could not be asked for or read. Nothing if all is well. */
function Feeds({ nameOf }: { readonly nameOf: (id: string) => string }) {
  const feeds = useRead('GET /payment-service-reports/feeds', {})
  const troubled = (feeds.data?.items ?? []).filter(isTroubled)
  if (troubled.length === 0) return null
  return (
    <div className="feeds">
      {troubled.map((feed) => (
        <Notice
          key={feed.payment_service_id}
          tone="wait"
          title={`Files of ${nameOf(feed.payment_service_id)} are not read yet`}
        >
          {feed.problem && <p>{feed.problem}</p>}
          <ul>
            {feed.unread_files.map(({ name, problem }) => (
              <li key={name}>
                <span className="mono">{name}</span>
                {problem && `: ${problem}`}
              </li>
            ))}
          </ul>
          <p>
            Next attempt <When at={feed.next_look_at} />.
          </p>
        </Notice>
      ))}
    </div>
  )
}

function isTroubled({ problem, unread_files }: Feed): boolean {
  return problem !== null || unread_files.some((file) => file.problem !== null)
}

function ReportDetail() {
  const { params } = useAddress()
  const { nameOf } = useServices()
  const report = useRead('GET /payment-service-reports/{payment_service_report_id}', {
    path: { payment_service_report_id: params['id'] ?? '' },
  })
  return (
    <Loaded of={report}>
      {(it) => (
        <Page
          title={reportName(it)}
          back={LIST}
          under={
            <>
              <span>{nameOf(it.payment_service_id)}</span>
              <When at={it.created_at} />
              {it.external_identifier && <Id value={it.external_identifier} />}
            </>
          }
        >
          <div className="files">
            {it.files.toReversed().map((file, index) => (
              <ReportFile key={file.id} file={file} isLast={index === 0} />
            ))}
          </div>
          {it.files.length === 0 && (
            <Notice tone="wait" title="No file yet">
              These entries come from notifications. The next file confirms them.
            </Notice>
          )}
          <h2 className="below">Lines</h2>
          <Lines reportId={it.id} />
        </Page>
      )}
    </Loaded>
  )
}

function ReportFile({ file, isLast }: { readonly file: File; readonly isLast: boolean }) {
  const { tone, label } = FILE_STATUSES[file.status]
  const isCorrected = !isLast && file.status === 'applied'
  return (
    <Section
      title={file.names[0] ?? 'File'}
      actions={isCorrected ? <Status tone="mute">Corrected</Status> : <Status tone={tone}>{label}</Status>}
    >
      {file.problem && (
        <Notice tone={file.status === 'refused' ? 'bad' : 'wait'} title="The file could not be fully read">
          {file.problem}
        </Notice>
      )}
      {file.currency && <Sums file={file} currency={file.currency} />}
      <Facts
        facts={[
          ['Day', file.report_date],
          ['Lines', `${file.applied_line_count} of ${file.line_count} applied`],
          [
            'Not matched',
            file.unmatched_line_count > 0 && (
              <strong className="attention">{file.unmatched_line_count}</strong>
            ),
          ],
          [
            'With differences',
            file.flagged_line_count > 0 && <strong className="attention">{file.flagged_line_count}</strong>,
          ],
          ['Published', <When key="published" at={file.published_at} />],
          ['Read', <When key="read" at={file.ingested_at} />],
          ['SHA-256', <Id key="sha" value={file.sha256} isShort />],
        ]}
      />
    </Section>
  )
}

/** Gross less fees is net, in the one currency of the file. */
function Sums({ file, currency }: { readonly file: File; readonly currency: string }) {
  return (
    <dl className="sums">
      <div>
        <dt>Payments</dt>
        <dd>
          <Money amount={file.gross_amount} currency={currency} />
        </dd>
      </div>
      <div>
        <dt>Fees</dt>
        <dd>
          <Money amount={-file.fee_amount} currency={currency} />
        </dd>
      </div>
      <div>
        <dt>Net</dt>
        <dd>
          <Money amount={file.net_amount} currency={currency} />
        </dd>
      </div>
    </dl>
  )
}

type LinesRow = RowOf<'GET /payment-service-reports/{payment_service_report_id}/lines'>

/** Every movement of a report, and the payment that it belongs to. */
function Lines({ reportId }: { readonly reportId: string }) {
  return (
    <List
      name="report-lines"
      route="GET /payment-service-reports/{payment_service_report_id}/lines"
      request={{ path: { payment_service_report_id: reportId } }}
      filters={FILTERS}
      views={LINES_VIEWS}
      columns={COLUMNS}
      to={({ transaction_id }) => transaction_id && `/transactions/${transaction_id}`}
      empty={{ title: 'No lines', text: 'The file is empty, or was rejected before its lines were read.' }}
    />
  )
}

const FILTERS: readonly Filter[] = [
  filterBy('flag', 'matched', 'Matched', { isUsual: true }),
  filterBy('flag', 'flagged', 'With differences', { isUsual: true }),
]

const LINES_VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Not matched', search: { matched: 'false' } },
  { label: 'With differences', search: { flagged: 'true' } },
]

const COLUMNS: readonly Column<LinesRow>[] = [
  column('kind', 'Type', {
    cell: ({ kind, description }) => (
      <span className="clip">{(kind === 'other' && description) || LINE_KINDS[kind]}</span>
    ),
    text: ({ kind }) => LINE_KINDS[kind],
  }),
  column('amount', 'Amount', { isNumber: true, money: (row) => row }),
  column('commission', 'Fee', {
    from: 'tablet',
    isNumber: true,
    money: ({ commission, currency }) => ({ amount: commission, currency }),
  }),
  column('matched', 'Payment', { cell: (row) => <Match of={row} />, text: matchText }),
  column('reference', 'Reference', {
    from: 'desktop',
    look: 'clip mono',
    text: (row) => row.payment_service_reference ?? row.own_reference,
  }),
  column('line_number', 'Line', { isExtra: true, isNumber: true, text: 'line_number' }),
  column('posted_at', 'Posted', { from: 'tablet', isTime: true, text: 'posted_at' }),
]

/** A line without its payment waits: the payment may still come. */
function Match({ of: line }: { readonly of: LinesRow }) {
  if (line.unmatched_because !== null && line.transaction_id === null)
    return <Status tone="wait">{matchText(line)}</Status>
  if (line.unmatched_because !== null || line.flag !== null)
    return <Status tone="info">{matchText(line)}</Status>
  if (line.kind === 'other') return <span className="quiet-text">None</span>
  return <Status tone="good">{matchText(line)}</Status>
}

function matchText({ unmatched_because, flag, kind }: LinesRow): string {
  if (unmatched_because !== null) return UNMATCHED[unmatched_because]
  if (flag !== null) return FLAGS[flag]
  return kind === 'other' ? 'None' : 'Matched'
}
