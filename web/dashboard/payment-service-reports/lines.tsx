import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Status } from '../parts/values.tsx'
import { FLAGS, LINE_KINDS, UNMATCHED } from './words.ts'

type Row = RowOf<'GET /payment-service-reports/{payment_service_report_id}/lines'>

/** Every movement of a report, and the payment that it belongs to. */
export function Lines({ reportId }: { readonly reportId: string }) {
  return (
    <List
      name="report-lines"
      route="GET /payment-service-reports/{payment_service_report_id}/lines"
      request={{ path: { payment_service_report_id: reportId } }}
      filters={FILTERS}
      views={VIEWS}
      columns={COLUMNS}
      to={({ transaction_id }) => transaction_id && `/transactions/${transaction_id}`}
      empty={{ title: 'No lines', text: 'The file is empty, or was rejected before its lines were read.' }}
    />
  )
}

const FILTERS: readonly Filter[] = [
  { id: 'matched', label: 'Matched', kind: 'flag', isUsual: true },
  { id: 'flagged', label: 'With differences', kind: 'flag', isUsual: true },
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Not matched', search: { matched: 'false' } },
  { label: 'With differences', search: { flagged: 'true' } },
]

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'kind',
    title: 'Type',
    cell: ({ kind, description }) => (
      <span className="clip">{(kind === 'other' && description) || LINE_KINDS[kind]}</span>
    ),
    text: ({ kind }) => LINE_KINDS[kind],
  },
  { id: 'amount', title: 'Amount', isNumber: true, money: (row) => row },
  {
    id: 'commission',
    title: 'Fee',
    from: 'tablet',
    isNumber: true,
    money: ({ commission, currency }) => ({ amount: commission, currency }),
  },
  { id: 'matched', title: 'Payment', cell: (row) => <Match of={row} />, text: matchText },
  {
    id: 'reference',
    title: 'Reference',
    from: 'desktop',
    look: 'clip mono',
    text: (row) => row.payment_service_reference ?? row.own_reference,
  },
  { id: 'line_number', title: 'Line', isExtra: true, isNumber: true, text: ({ line_number }) => line_number },
  { id: 'posted_at', title: 'Posted', from: 'tablet', isTime: true, text: ({ posted_at }) => posted_at },
]

/** A line without its payment waits: the payment may still come. */
function Match({ of: line }: { readonly of: Row }) {
  if (line.unmatched_because !== null && line.transaction_id === null)
    return <Status tone="wait">{matchText(line)}</Status>
  if (line.unmatched_because !== null || line.flag !== null)
    return <Status tone="info">{matchText(line)}</Status>
  if (line.kind === 'other') return <span className="quiet-text">None</span>
  return <Status tone="good">{matchText(line)}</Status>
}

function matchText({ unmatched_because, flag, kind }: Row): string {
  if (unmatched_because !== null) return UNMATCHED[unmatched_because]
  if (flag !== null) return FLAGS[flag]
  return kind === 'other' ? 'None' : 'Matched'
}
