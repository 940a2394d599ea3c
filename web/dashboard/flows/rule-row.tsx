import { Button, Icon, Link } from '../parts/controls.tsx'
import { LOCALE } from '../parts/locale.ts'
import { describeCondition } from './describe.ts'
import { useOutcomeText } from './use-rules.ts'
import { fromOne, pathOf, type Rule, sentence, titleOf } from './words.ts'

type Props = {
  readonly rule: Rule
  readonly count: number | undefined
  readonly canChange: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (step: 1 | -1) => void
  readonly onDelete: () => void
}

const COUNT = new Intl.NumberFormat(LOCALE)

export function RuleRow({ rule, count, canChange, isFirst, isLast, onMove, onDelete }: Props) {
  const title = titleOf(rule)
  return (
    <li className="rule" id={`rule-${rule.id}`}>
      <span className="rule-place">{rule.position + 1}</span>
      <div className="rule-text">
        <h3>
          <Link to={pathOf(rule, rule.id)} className="rule-link">
            {title}
          </Link>
        </h3>
        <RuleWords of={rule} />
        <Warnings of={rule} />
      </div>
      {count !== undefined && (
        <p className="rule-count">
          <b className="number">{COUNT.format(count)}</b> <small>payments in the last 7 days</small>
        </p>
      )}
      {canChange && (
        <span className="row-actions">
          <Button
            id={`up-${rule.id}`}
            tone="quiet"
            icon="up"
            aria-label={`Move ${title} up`}
            disabled={isFirst}
            onClick={() => onMove(-1)}
          />
          <Button
            id={`down-${rule.id}`}
            tone="quiet"
            icon="down"
            aria-label={`Move ${title} down`}
            disabled={isLast}
            onClick={() => onMove(1)}
          />
          <Button tone="quiet" icon="close" aria-label={`Delete ${title}`} onClick={onDelete} />
        </span>
      )}
    </li>
  )
}

/** When the rule decides, and what. */
export function RuleWords({ of: rule }: { readonly of: Rule }) {
  const outcomeText = useOutcomeText()
  return (
    <dl className="rule-words">
      <div>
        <dt>If</dt>
        <dd>
          {rule.conditions.length === 0
            ? 'Always'
            : rule.conditions.map((condition, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name, and do not move here
                <span key={index} className="rule-condition">
                  {index > 0 && <i>and </i>}
                  {describeCondition(condition)}
                </span>
              ))}
        </dd>
      </div>
      <div>
        <dt>Then</dt>
        <dd className="rule-outcome">{outcomeText(rule)}</dd>
      </div>
    </dl>
  )
}

export function Warnings({ of: { warnings } }: { readonly of: Pick<Rule, 'warnings'> }) {
  if (warnings.length === 0) return null
  return (
    <ul className="rule-warnings" aria-label="Warnings">
      {warnings.map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`}>
          <Icon name="alert" />
          <span>{`${sentence(fromOne(message))}.`}</span>
        </li>
      ))}
    </ul>
  )
}
