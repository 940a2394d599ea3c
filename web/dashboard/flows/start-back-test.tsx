import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { serviceNow } from '../api/service-time.ts'
import { Ask } from '../parts/ask.tsx'
import type { Field } from '../parts/fields.tsx'
import { PRESENT_RULES } from './words.ts'

const WEEK_MS = 7 * 24 * 3_600_000

const TIME: readonly Field[] = [
  { name: 'created_at_gte', label: 'Payments from', kind: 'moment', isRequired: true, isHalf: true },
  { name: 'created_at_lte', label: 'To', kind: 'moment', isHalf: true, hint: 'Leave empty for now.' },
]
const VERSION: Field = {
  name: 'version',
  label: 'Rules version',
  kind: 'number',
  min: 1,
  hint: PRESENT_RULES,
}

type Props = {
  /** Rules that are not stored. Without them, a version is chosen. */
  readonly rules?: readonly Schemas['DraftRule'][]
  readonly onBegun: (id: string) => void
  readonly onClose: () => void
}

/** Begins to try rules on payments of the past. */
export function StartBackTest({ rules, onBegun, onClose }: Props) {
  const now = serviceNow().getTime()
  return (
    <Ask
      title={rules ? 'Back-test of your changes' : 'New back-test'}
      verb="Start"
      says={
        rules
          ? 'All rules, with your changes to this one, are tested on every payment of the period. No payment changes, and no provider is contacted.'
          : 'The rules are tested on every payment of the period. No payment changes, and no provider is contacted.'
      }
      fields={rules ? TIME : [...TIME, VERSION]}
      initial={{ created_at_gte: new Date(now - WEEK_MS).toISOString() }}
      send={(body, idempotencyKey) =>
        send('POST /flows/back-tests', {
          body: { ...(body as Schemas['FlowBackTestCreate']), ...(rules && { rules: [...rules] }) },
          idempotencyKey,
        })
      }
      outcome={() => ({ kind: 'done', title: 'The back-test has started' })}
      onDone={({ id }) => onBegun(id)}
      onClose={onClose}
    />
  )
}
