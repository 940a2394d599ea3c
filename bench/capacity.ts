import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readPage } from '../lab/kept-page.ts'
import { CHECKOUT } from '../lab/processes.ts'
import { say } from '../lab/progress.ts'
import { COSTS, type Costs, type Line, plan, type Wish } from './capacity-plan.ts'

/*
 * How large an installation has to be. The costs of a payment are those that `payment-cost` measured last, as
 * docs/performance.md shows them; an option replaces each.
 */
const WISH: Wish = {
  rate: 5_000,
  payments: 1_000_000_000,
  meanShare: 0.25,
  reads: 4,
  usage: 0.6,
  standbys: 2,
  machineCores: 32,
  flushMs: 1,
  roundTripMs: 0.5,
  poolSize: 20,
  copyMbPerSecond: 300,
}

process.exitCode = main()

function main(): number {
  const names = [...Object.keys(COSTS), ...Object.keys(WISH)]
  const options = Object.fromEntries(names.map((name) => [optionOf(name), { type: 'string' as const }]))
  try {
    const parsed = parseArgs({ options: { ...options, help: { type: 'boolean' } } })
    const values: Readonly<Record<string, unknown>> = parsed.values
    if (values['help'] === true) {
      say(`Each takes a number: ${names.map((name) => `--${optionOf(name)}`).join(' ')}`)
      return 0
    }
    const given = new Map(names.flatMap((name) => numberFor(name, values[optionOf(name)])))
    const costs = fill(measuredCosts(), given) as Costs
    const missing = Object.keys(COSTS).filter((name) => !Number.isFinite(costs[name as keyof Costs]))
    if (missing.length > 0) {
      say(
        `Nothing is known of ${missing.map((name) => `--${optionOf(name)}`).join(', ')}: give them, or measure ` +
          'them first with npm run bench -- payment-cost',
      )
      return 1
    }
    process.stdout.write(`${render(plan(costs, fill(WISH, given) as Wish))}\n`)
    return 0
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    return 1
  }
}

function fill(values: object, given: ReadonlyMap<string, number>): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, given.get(name) ?? value]))
}

function numberFor(name: string, text: unknown): [[string, number]] | [] {
  if (text === undefined) return []
  const value = Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new Error(`--${optionOf(name)} takes a number above 0.`)
  return [[name, value]]
}

/** The medians in the section of `payment-cost`. What it lacks is not a number. */
function measuredCosts(): object {
  const page = readPage(join(CHECKOUT, 'docs/performance.md'))
  const section = page.split('<!-- section: ').find((part) => part.startsWith('payment-cost -->')) ?? ''
  const rows = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const medians = new Map(rows.map(([, name = '', median = '']) => [name, Number.parseFloat(median)]))
  return Object.fromEntries(
    Object.entries(COSTS).map(([name, title]) => [name, medians.get(title) ?? Number.NaN]),
  )
}

function render(lines: readonly Line[]): string {
  const width = (key: 'what' | 'amount') => Math.max(...lines.map((line) => line[key].length))
  return lines
    .map(({ what, amount, because }) => {
      return `${what.padEnd(width('what'))}  ${amount.padStart(width('amount'))}  ${because}`
    })
    .join('\n')
}

function optionOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
