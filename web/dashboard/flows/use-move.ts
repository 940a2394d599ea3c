import { ApiError, send } from '../api/client.ts'
import { useAct } from '../parts/ask.tsx'
import { useMoved } from '../parts/use-moved.ts'
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
