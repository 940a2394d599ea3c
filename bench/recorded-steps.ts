import type { Step, Value } from './floor.ts'

export type Sent = {
  readonly client: object
  readonly at: number
  readonly text: string
  readonly values: readonly unknown[]
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * The sent statements, as steps that another program can repeat. Two recordings of the same work show the values that
 * differ each time: each repetition makes new ids, and random keys.
 */
export function stepsOf(first: readonly Sent[], second: readonly Sent[]): Step[] {
  if (first.length !== second.length || first.some(({ text }, at) => text !== second[at]?.text)) {
    throw new Error('The same request sent other statements the second time.')
  }
  const known = new Set(first.flatMap(({ values }) => idsIn(values)))
  const steps: { isTransaction: boolean; statements: { text: string; values: Value[] }[]; client: object }[] =
    []
  let open: (typeof steps)[number] | undefined
  for (const [index, { client, at, text, values }] of second.entries()) {
    if (/^(begin|start transaction)/i.test(text)) {
      open = { isTransaction: true, statements: [], client }
      steps.push(open)
    } else if (/^commit/i.test(text)) open = undefined
    else {
      const before = first[index]?.values ?? []
      const tag = (value: unknown, place: number) => tagged(value, before[place], { known, at })
      const statement = { text, values: values.map(tag) }
      if (open?.client === client) open.statements.push(statement)
      else steps.push({ isTransaction: false, statements: [statement], client })
    }
  }
  return steps.map(({ isTransaction, statements }) => ({ isTransaction, statements }))
}

function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.match(ID) ?? []
  return Array.isArray(value) ? value.flatMap(idsIn) : []
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d{3}Z$/

/** Statements send times as texts, the query builder as dates. */
function timeOf(value: unknown): number | null {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' && TIME.test(value) ? Date.parse(value) : null
}

type Recorded = { readonly known: ReadonlySet<string>; readonly at: number }

function tagged(value: unknown, before: unknown, { known, at }: Recorded): Value {
  const time = timeOf(value)
  // Due times must stay in the future: otherwise the service's jobs would take the rows.
  if (time !== null) return { kind: 'time', inMs: Math.max(0, time - at) }
  if (Buffer.isBuffer(value)) return { kind: 'bytes', base64: value.toString('base64') }
  const fresh = [...new Set(idsIn(value))].filter((id) => !known.has(id))
  if (fresh.length > 0) return { kind: 'ids', value: value as string | string[], fresh }
  const isKey = typeof value === 'string' && value !== before && /^[\w-]{20,}$/.test(value)
  return isKey ? { kind: 'key', length: value.length } : { kind: 'fixed', value }
}
