import type { Schemas } from '../../api/schema.d.ts'
import { Status } from '../parts/values.tsx'
import { ACTIONS, fromOne } from './words.ts'
import './steps.css'

type Props = {
  readonly of: readonly Schemas['DecisionStep'][]
  /** One level below what it stands in. */
  readonly heading?: 'h2' | 'h3'
}

/** What the rules of each action said: those that were passed over, and the one that decided. */
export function Steps({ of: steps, heading: Heading = 'h3' }: Props) {
  return steps.map(({ action, text, rule, passed_over }) => (
    <section key={action}>
      <Heading>{ACTIONS[action].title}</Heading>
      <ol className="decision-list">
        {passed_over.map((passed) => (
          <li key={passed.rule.id}>
            <Status tone="mute">{passed.because === 'not_known' ? 'Not known' : 'Skipped'}</Status>
            <span>{fromOne(passed.text)}</span>
          </li>
        ))}
        <li>
          <Status tone={rule ? 'good' : 'mute'}>{rule ? 'Decided' : 'No rule'}</Status>
          <span>{fromOne(text)}</span>
        </li>
      </ol>
    </section>
  ))
}
