import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createMetrics } from '#platform/observability/metrics.ts'
import { Readings } from '#platform/observability/readings.ts'
import { listReadings } from '../server/src/app.ts'

const alerts = readFileSync('deploy/watch/alerts.yaml', 'utf8')
const dashboard = JSON.parse(readFileSync('deploy/watch/dashboard.json', 'utf8'))
const runbook = readFileSync('docs/runbook.md', 'utf8')
const operate = readFileSync('docs/guide/operate.md', 'utf8')

/** Everything that a process can show, by name. */
const families = new Map(allMetrics().map((family) => [family.name, family]))
/** Prometheus adds these itself. */
const ADDED = ['instance', 'job', 'le']
const HISTOGRAM_PART = /_(bucket|count|sum)$/

function allMetrics() {
  const metrics = createMetrics()
  metrics.watchClock(() => 0)
  metrics.watchReadiness(async () => true)
  metrics.watchPools({})
  metrics.watchReplica({ lagMs: 0, reason: null, counts: {} })
  metrics.watchProcesses({ running: 0, restarts: {} })
  for (const watch of [metrics.watchExchanges, metrics.watchApiLogs]) watch(() => ({ written: 0, lost: 0 }))
  metrics.watchSpans(() => ({ sent: 0, dropped: 0 }))
  metrics.include(new Readings(listReadings(null), undefined as never))
  return metrics.families()
}

const rules = alerts
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)?.[0] ?? '',
    expr: /^ {8}expr: (\|\n(?: {10,}.*\n)+|.*\n)/m.exec(text)?.[1]?.replace(/^\|\n/, '') ?? '',
    text,
  }))
type Panel = {
  readonly title: string
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}
const panels = (dashboard.panels as Panel[]).filter(({ targets }) => targets)
const expressions = [
  ...rules.map(({ name, expr, text }) => ({
    where: name,
    expr,
    shown: labelsIn(text, /[$]labels[.](\w+)/g),
  })),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      where: title,
      expr,
      shown: labelsIn(legendFormat, /[{][{](\w+)[}][}]/g),
    })),
  ),
]

function labelsIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, label = '']) => label)
}

/** The families of an expression, without the parts of histograms. */
function familiesIn(expr: string): string[] {
  const names = expr.match(/\bswitchyard_\w+/g) ?? []
  return names.map((name) => (families.has(name) ? name : name.replace(HISTOGRAM_PART, '')))
}

describe('alerts and dashboard', () => {
  test('are found', () => {
    expect(rules.length).toBeGreaterThan(15)
    expect(panels.length).toBeGreaterThan(20)
    expect(families.size).toBeGreaterThan(25)
  })

  test.each(expressions)('$where names families and labels that exist', ({ expr, shown }) => {
    const named = familiesIn(expr)
    const known = new Set([...ADDED, ...named.flatMap((name) => families.get(name)?.labels ?? [])])
    const matched = labelsIn(expr.replaceAll(/"[^"]*"/g, '""'), /(\w+)\s*[!=]=?~?\s*""/g)
    const grouped = labelsIn(expr, /\bby \(([\w, ]+)\)/g).flatMap((list) => list.split(/,\s*/))

    expect(named.filter((name) => !families.has(name))).toEqual([])
    expect(named.length + (/\bup\b/.test(expr) ? 1 : 0)).toBeGreaterThan(0)
    expect([...matched, ...grouped, ...shown].filter((label) => !known.has(label))).toEqual([])
    if (HISTOGRAM_PART.test(expr.match(/\bswitchyard_\w+/)?.[0] ?? '') && named[0])
      expect(families.get(named[0])?.type).toBe('histogram')
  })

  test('name values of outcome, result and state that are counted', () => {
    const values = new Set(
      expressions.flatMap(({ expr }) => labelsIn(expr, /(?:outcome|result|state)!?=~?"([^"]+)"/g)),
    )

    expect(new Set([...values].flatMap((value) => value.split('|')))).toEqual(
      new Set(['approved', 'dropped', 'failed', 'lost', 'parked', 'queued', 'sent', 'unknown']),
    )
  })

  test('each alert has a section of the runbook, which says what to do, and no other has one', () => {
    const sections = runbook.split(/^## /m).slice(1)
    const named = sections.map((text) => text.split('\n')[0])

    expect(named).toEqual(rules.map(({ name }) => name))
    for (const section of sections) expect(section, section).toMatch(/^1[.] /m)
    for (const { name, text } of rules)
      expect(text).toContain(`runbook: docs/runbook.md#${name.toLowerCase()}`)
  })

  test('every family is in the table of the guide, with its labels', () => {
    const table = operate.slice(operate.indexOf('| Metric | Meaning |')).split('\n\n')[0] ?? ''
    const rows = new Map(table.split('\n').map((row) => [/^\| `(\w+)`/.exec(row)?.[1] ?? '', row]))

    expect([...families.keys()].filter((name) => !rows.has(name))).toEqual([])
    expect([...rows.keys()].filter((name) => name.startsWith('switchyard_') && !families.has(name))).toEqual(
      [],
    )
    for (const { name, labels } of families.values())
      for (const label of labels) expect(rows.get(name), name).toContain(`\`${label}\``)
  })
})
