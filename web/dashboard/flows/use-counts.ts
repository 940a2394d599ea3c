import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Rule } from './words.ts'

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
