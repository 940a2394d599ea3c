import type { ServiceEntry } from '#resources/flows/schemas.ts'
import type { Action } from '#resources/flows/vocabulary.ts'
import type { ServiceStanding } from '#resources/transactions/wire/decision.ts'

/** What a payment keeps of a decision: to go on after its buyer has approved, and to tell why. What is missing is null. */
export type KeptDecision = {
  readonly version: number
  readonly route?: readonly ServiceEntry[] | null
  readonly three_d_secure?: 'attempt' | 'force' | 'skip' | null
  /** The rules that decided, also for statistics. */
  readonly rule_ids: {
    readonly decline?: string
    readonly route?: string | null
    readonly three_d_secure?: string | null
  }
  /** The service that a weighted rule drew. */
  readonly variant_id?: string | null
  /** What the history of the payment tells. Some payments from before the baseline have none: theirs is a row among other events. */
  readonly event?: KeptEvent
}

/** What was known of a service when a rule chose between services. */
export type RankedService = ServiceStanding & { readonly payment_service_id: string }

/** An event without what the version of the rules and the rest of the payment say. */
export type KeptEvent = {
  readonly id: string
  /** In milliseconds. */
  readonly at: number
  /** Of each action that was decided, what rules were passed over on: `Step` of `compile-rules.ts`, in runs. */
  readonly passed: Readonly<Partial<Record<Action, string>>>
  readonly standings?: readonly RankedService[]
}

/**
 * Whole numbers as a short text, in which equal ones that follow each other are written once: `5x48,-2,0`. A list of numbers takes
 * twelve bytes for each in the database.
 */
export function writeRuns(numbers: readonly number[]): string {
  const runs: string[] = []
  for (let start = 0, end = 0; start < numbers.length; start = end) {
    const value = numbers[start]
    while (end < numbers.length && numbers[end] === value) end += 1
    runs.push(end - start === 1 ? `${value}` : `${value}x${end - start}`)
  }
  return runs.join(',')
}

export function readRuns(text: string): number[] {
  if (text === '') return []
  return text.split(',').flatMap((run) => {
    const [value, count = '1'] = run.split('x')
    return new Array<number>(Number(count)).fill(Number(value))
  })
}
