import { download } from '../download.ts'
import { type Column, textOf } from './table.tsx'

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
