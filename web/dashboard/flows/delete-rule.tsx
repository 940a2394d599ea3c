import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { RuleWords } from './rule-row.tsx'
import { readRules } from './use-rules.ts'
import { type Rule, titleOf } from './words.ts'

type Props = {
  readonly rule: Rule
  /** The version that the person looks at. */
  readonly version: number
  readonly count: number | undefined
  readonly onDone?: () => void
  readonly onClose: () => void
}

export function DeleteRule({ rule, version, count, onDone, onClose }: Props) {
  const { id, flow, action } = rule
  const title = titleOf(rule)
  return (
    <Ask
      title={`Delete ${title}`}
      verb="Delete"
      isDangerous
      says={
        <>
          <p>It no longer applies to new payments. You can restore it from History at any time.</p>
          {count !== undefined && count > 0 && (
            <p>
              It decided {count} {count === 1 ? 'payment' : 'payments'} in the last 7 days.
            </p>
          )}
          <RuleWords of={rule} />
        </>
      }
      send={() =>
        send('DELETE /flows/{flow}/actions/{action}/rules/{rule_id}', { path: { flow, action, rule_id: id } })
      }
      outcome={() => ({ kind: 'done', title: `${title} was deleted` })}
      standing={{
        now: `version ${version} of the rules`,
        read: async () => `version ${(await readRules()).version} of the rules`,
      }}
      {...(onDone && { onDone })}
      deletedId={id}
      onClose={onClose}
    />
  )
}
