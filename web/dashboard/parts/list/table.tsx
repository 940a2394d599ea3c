import type { ReactNode } from 'react'
import type { Search } from '../../address.ts'
import { Link } from '../controls.tsx'
import { decimalText, type Mark, Marked, Money, When } from '../values.tsx'

type Text = string | number | boolean | null | undefined

export type Column<Row> = {
  readonly id: string
  readonly title: string
  /** What a person sees, if it is not one of the following. */
  readonly cell?: (row: Row) => ReactNode
  /** What a spreadsheet gets. Without it, `money` and `status`, the column is not in the CSV file. */
  readonly text?: (row: Row) => Text
  /** The class of the text. */
  readonly look?: string
  /** The text is a time: people see how long ago it was, where numbers stand. */
  readonly isTime?: boolean
  readonly money?: (row: Row) => { readonly amount: number; readonly currency: string }
  readonly status?: (row: Row) => Mark
  readonly isNumber?: boolean
  /** Not shown until a person chooses it. */
  readonly isExtra?: boolean
  /** Not shown on narrower screens. */
  readonly from?: 'tablet' | 'desktop'
}

type TextKey<Row> = { [Key in keyof Row]: Row[Key] extends Text ? Key : never }[keyof Row]

type Line<Row> = Omit<Column<Row>, 'id' | 'title' | 'text'> & {
  /** A property of the row, or what is made of the row. */
  readonly text?: TextKey<NoInfer<Row>> | ((row: Row) => Text)
}

/** A line of a table of columns: `column('created_at', 'Created', { isTime: true, text: 'created_at' })`. */
export function column<Row>(id: string, title: string, { text, ...more }: Line<Row>): Column<Row> {
  if (text === undefined) return { id, title, ...more }
  return { id, title, ...more, text: typeof text === 'function' ? text : (row) => row[text] as Text }
}

/** Where a row leads: a path, or a list with its filters. */
type Target = string | { readonly to: string; readonly search: Search }

type Props<Row> = {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly to?: ((row: Row) => Target | null) | undefined
  readonly isLoading?: boolean
  /** Rows that stand for those that are on their way. */
  readonly skeletonRows?: number
  /** The rows are those before a filter changed. */
  readonly isOld?: boolean
}

/** Rows of 44 pixels. The first cell is a link that fills the row, so that it opens in a new tab like any other. */
export function Table<Row>({ label, columns, rows, to, isLoading, skeletonRows, isOld }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={label}>
      <table className={isOld ? 'old' : ''}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {isLoading
            ? SKELETON.slice(0, skeletonRows).map((width, index) => (
                <SkeletonRow key={width} columns={columns} width={width - index} />
              ))
            : rows.map((row, index) => (
                <TableRow key={keyOf(row, index)} row={row} columns={columns} to={to?.(row) ?? null} />
              ))}
        </tbody>
      </table>
    </section>
  )
}

const SKELETON = [70, 56, 64, 48, 60, 52, 66, 58]

function SkeletonRow<Row>({
  columns,
  width,
}: {
  readonly columns: readonly Column<Row>[]
  readonly width: number
}) {
  return (
    <tr className="skeleton">
      {columns.map((column) => (
        <td key={column.id} className={classOf(column)}>
          <i style={{ width: `${width}%` }} />
        </td>
      ))}
    </tr>
  )
}

type RowProps<Row> = {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  readonly to: Target | null
}

function TableRow<Row>({ row, columns, to }: RowProps<Row>) {
  return (
    <tr className={to === null ? '' : 'leads'}>
      {columns.map((column, index) => (
        <td key={column.id} className={classOf(column)}>
          {index === 0 && to !== null ? (
            <Link {...(typeof to === 'string' ? { to } : to)} className="row-link">
              {cellOf(column, row)}
            </Link>
          ) : (
            cellOf(column, row)
          )}
        </td>
      ))}
    </tr>
  )
}

function cellOf<Row>({ cell, text, look, isTime, money, status }: Column<Row>, row: Row): ReactNode {
  if (cell) return cell(row)
  if (money) return <Money amount={money(row).amount} currency={money(row).currency} />
  if (status) return <Marked of={status(row)} />
  const shown = text?.(row)
  if (isTime) return shown && <When at={String(shown)} />
  return look ? <span className={look}>{shown}</span> : shown
}

/** The same for a spreadsheet. */
function textOf<Row>({ text, money, status }: Column<Row>, row: Row): Text {
  if (text) return text(row)
  if (money) return decimalText(money(row).amount, money(row).currency)
  return status?.(row).label
}

function classOf<Row>({ isNumber, isTime, from }: Column<Row>): string {
  return `${isNumber || isTime ? 'numeric ' : ''}${from ? `from-${from}` : ''}`
}

function keyOf(row: unknown, index: number): string {
  const { id } = row as { readonly id?: unknown }
  return typeof id === 'string' ? id : String(index)
}

/** Saves the rows that are shown, in the columns that are shown. */
export function downloadCsv<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  download(`${name}.csv`, 'text/csv', csvOf(columns, rows))
}

function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const written = columns.filter(({ text, money, status }) => text ?? money ?? status)
  const lines = [
    written.map(({ title }) => title),
    ...rows.map((row) => written.map((column) => String(textOf(column, row) ?? ''))),
  ]
  return `${lines.map((line) => line.map(quoted).join(',')).join('\r\n')}\r\n`
}

/** A spreadsheet would run a text that begins like a formula: a buyer's name must not do that. A number stays one. */
function quoted(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-?\d+([.]\d+)?$/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Saves a text as a file of the person. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
