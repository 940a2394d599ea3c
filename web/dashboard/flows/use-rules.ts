import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/schema.d.ts'
import { selectedAccount } from '../api/account.ts'
import { send, useRead } from '../api/client.ts'
import { describeOutcome } from './describe.ts'
import { isSamePlace, type Place, type Rule } from './words.ts'

export type Rules = {
  readonly all: readonly Rule[]
  /** The version that was read. 0: there has never been a rule. */
  readonly version: number
}

/** All rules of the account, from one version: they change together. */
export function useRules() {
  return useQuery({
    queryKey: ['flow rules', selectedAccount()],
    queryFn: ({ signal }) => readRules(signal),
  })
}

export async function readRules(signal?: AbortSignal): Promise<Rules> {
  const { items } = await send('GET /flows/versions', { query: { limit: 1 }, signal })
  const [newest] = items
  if (!newest) return { all: [], version: 0 }
  const path = { flow_version_id: newest.id }
  const { rules, number } = await send('GET /flows/versions/{flow_version_id}', { path, signal })
  return { all: rules, version: number }
}

/** A version by its number: people use those, the API ids. Null: there is none. */
export function useVersion(number: number) {
  return useQuery({
    queryKey: ['flow version', selectedAccount(), number],
    queryFn: async ({ signal }) => {
      if (!Number.isInteger(number) || number < 1) return null
      const { items } = await send('GET /flows/versions', { query: { number, limit: 1 }, signal })
      const [found] = items
      if (!found) return null
      return send('GET /flows/versions/{flow_version_id}', { path: { flow_version_id: found.id }, signal })
    },
  })
}

/** The rules of a place, in the order in which they are tried. */
export function rulesAt(rules: readonly Rule[], place: Place): readonly Rule[] {
  return inOrder(rules.filter((rule) => isSamePlace(rule, place)))
}

export function inOrder(rules: readonly Rule[]): readonly Rule[] {
  return rules.toSorted((one, other) => one.position - other.position)
}

/** A rule as it can be tried, without what the server adds. */
export function asDraft(rule: Rule): Schemas['DraftRule'] {
  const { flow, action, description, conditions, outcome, error_code } = rule
  return { flow, action, description, conditions, outcome, error_code }
}

/** What rules decide, in words: the names of payment services have to be read. */
export function useOutcomeText(): (rule: Pick<Rule, 'flow' | 'action' | 'outcome' | 'error_code'>) => string {
  const nameOf = useServiceNames()
  return ({ action, outcome, error_code }) =>
    describeOutcome(outcome, {
      isMethods: action === 'select-payment-options',
      errorCode: action === 'decline-early' ? error_code : undefined,
      nameOf,
    })
}

function useServiceNames(): (id: string) => string {
  const read = [useOptions(ROUTING_CARDS), useOptions(ROUTING_OTHERS)]
  const isKnown = read.every(({ data }) => data !== undefined)
  const names = new Map(read.flatMap(({ data }) => data?.items ?? []).map(({ id, label }) => [id, label]))
  return (id) => names.get(id) ?? (isKnown ? 'a service that was deleted' : '…')
}

const ROUTING_CARDS: Place = { flow: 'card-transaction', action: 'route-transaction' }
const ROUTING_OTHERS: Place = { flow: 'redirect-transaction', action: 'route-transaction' }

/** What a rule of a place can name. */
export function useOptions(place: Place) {
  return useRead('GET /flows/{flow}/actions/{action}/outcomes', { path: place })
}
