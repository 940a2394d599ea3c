import { exactText, type Fact } from '../parts/values.tsx'
import { plain, STATUSES } from '../transactions/words.ts'
import { PLACEHOLDERS } from './periods.ts'
import { columnName } from './words.ts'

type Range = { readonly start?: string | null; readonly end?: string | null }

/** What a report is narrowed to, and what it has, in words. Whatever it was made with is shown. */
export function factsOf(params: Readonly<Record<string, unknown>>): readonly Fact[] {
  const { fields, filters, sort } = params as {
    readonly fields?: readonly string[]
    readonly filters?: Readonly<Record<string, unknown>>
    readonly sort?: readonly { readonly field: string; readonly order?: string }[]
  }
  return [
    ...Object.entries(filters ?? {}).map(([name, value]): Fact => [columnName(name), wordsFor(value)]),
    ['Columns', fields?.map(columnName).join(', ')],
    [
      'Sorted by',
      sort
        ?.map(({ field, order }) => `${columnName(field)}${order === 'desc' ? ', last first' : ''}`)
        .join('; '),
    ],
  ]
}

function wordsFor(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsFor).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'object' || value === null) return wordFor(String(value))
  if ('start' in value || 'end' in value) return rangeOf(value as Range)
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${String(one)}`)
    .join(', ')
}

/** As the lists of the dashboard call it. */
function wordFor(code: string): string {
  return Object.hasOwn(STATUSES, code) ? STATUSES[code as keyof typeof STATUSES].label : plain(code)
}

function rangeOf({ start, end }: Range): string {
  const known = PLACEHOLDERS.find((one) => one.start === start && one.end === end)
  if (known) return known.label
  const [from, to] = [start, end].map((bound) => bound && momentText(bound))
  if (!from) return `until ${to}`
  return to ? `${from} to ${to}` : `from ${from}`
}

function momentText(text: string): string {
  return Number.isNaN(Date.parse(text)) ? plain(text) : exactText(text)
}
