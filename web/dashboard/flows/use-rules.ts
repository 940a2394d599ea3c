import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/schema.d.ts'
import { selectedAccount } from '../api/account.ts'
import { ApiError, send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { useAct } from '../parts/ask.tsx'
import { useMoved } from '../parts/use-moved.ts'
import { notify } from '../shell/notices.tsx'
import { describeOutcome } from './describe.ts'
import { isSamePlace, type Place, type Rule, titleOf } from './words.ts'

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

/** Whether an answer says that others have changed the rules since they were read. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ pointer }) => pointer === '/based_on_version')
}

/** Moves a rule by one place. If others have changed the rules meanwhile, nothing is moved. */
export function useMove(rules: Rules) {
  const { progress, send: act } = useAct<Rule>()
  const follow = useMoved((id) => rules.all.find((rule) => rule.id === id)?.position)
  const move = async (rule: Rule, step: 1 | -1) => {
    const { id, flow, action, position } = rule
    follow(id, step)
    const done = await act(() =>
      send('PUT /flows/{flow}/actions/{action}/rules/{rule_id}', {
        path: { flow, action, rule_id: id },
        body: { position: position + step, based_on_version: rules.version },
      }),
    )
    const count = rulesAt(rules.all, rule).length
    if (done) notify({ title: `${titleOf(rule)} is now ${position + 1 + step} of ${count}` })
  }
  return { progress, isConflict: progress.at === 'refused' && isStale(progress.error), move }
}

const SOURCE = { source: 'authorization', metric: 'transactions' } as const
const WEEK = { query: { datetime_range: 'P7D/now' } }

/**
 * How many payments each rule has decided in the last seven days. Undefined: it is not counted, or not known yet. Rules that
 * decline are counted by their error code, where no other rule has the same.
 */
export function useCounts(rules: readonly Rule[]): (rule: Rule) => number | undefined {
  const isWanted = useMay()('metrics-explorer.read') && rules.length > 0
  const routed = useModule('rule_route_transaction', isWanted)
  const authenticated = useModule('rule_skip_3ds', isWanted)
  const declined = useModule('error_code', isWanted)
  const declining = rules.filter(({ action }) => action === 'decline-early')
  return (rule) => {
    if (rule.action === 'route-transaction') return routed?.(rule.id)
    if (rule.action === 'skip-3ds') return authenticated?.(rule.id)
    if (rule.action !== 'decline-early') return undefined
    const code = codeOf(rule)
    const isAlone = declining.filter((one) => codeOf(one) === code).length === 1
    return isAlone ? declined?.(code) : undefined
  }
}

function codeOf({ error_code }: Rule): string {
  return error_code ?? 'flow_decline'
}

type Module = 'rule_route_transaction' | 'rule_skip_3ds' | 'error_code'

function useModule(module: Module, isWanted: boolean): ((key: string) => number) | undefined {
  const { data } = useRead('GET /metrics-explorer/{source}/metrics/{metric}/modules/{module}', {
    path: { ...SOURCE, module },
    ...WEEK,
    isWanted,
  })
  if (!data) return undefined
  const values = new Map(data.map(({ key, value }) => [key, value ?? 0]))
  return (key) => values.get(key) ?? 0
}
