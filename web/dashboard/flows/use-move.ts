import { useEffect, useRef, useState } from 'react'
import { ApiError, send } from '../api/client.ts'
import { useAct } from '../parts/use-act.ts'
import { notify } from '../shell/notices.tsx'
import { type Rules, rulesAt } from './use-rules.ts'
import { type Rule, titleOf } from './words.ts'

/** Whether an answer says that others have changed the rules since they were read. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ pointer }) => pointer === '/based_on_version')
}

/** Moves a rule by one place. If others have changed the rules meanwhile, nothing is moved. */
export function useMove(rules: Rules) {
  const { progress, send: act } = useAct<Rule>()
  const [moved, setMoved] = useState<{ readonly id: string; readonly step: 1 | -1 }>()
  const place = rules.all.find(({ id }) => id === moved?.id)?.position
  const seen = useRef(place)
  useEffect(() => {
    // The row has another place in the page now. The focus goes with it.
    if (moved && place !== seen.current) focusButton(moved.id, moved.step)
    seen.current = place
  }, [moved, place])
  const move = async (rule: Rule, step: 1 | -1) => {
    seen.current = rule.position
    setMoved({ id: rule.id, step })
    const { id, flow, action, position } = rule
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

function focusButton(id: string, step: 1 | -1): void {
  const find = (name: string) => document.getElementById(`${name}-${id}`) as HTMLButtonElement | null
  const [wanted, other] = step < 0 ? [find('up'), find('down')] : [find('down'), find('up')]
  if (wanted?.disabled) other?.focus()
  else wanted?.focus()
}
