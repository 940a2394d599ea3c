import { Button, Icon, Link, MoveButtons } from '../parts/controls.tsx'
import { capital, LOCALE } from '../parts/locale.ts'
import { Empty } from '../parts/page.tsx'
import { Marked, type Marks } from '../parts/values.tsx'
import { type Change, describeCondition, type Line } from './describe.ts'
import { useOutcomeText } from './use-rules.ts'
import { ACTIONS, fromOne, groupOf, pathOf, type Rule, titleOf } from './words.ts'

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
          <MoveButtons id={rule.id} name={title} isFirst={isFirst} isLast={isLast} onMove={onMove} />
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
          <span>{`${capital(fromOne(message))}.`}</span>
        </li>
      ))}
    </ul>
  )
}

const KINDS: Marks<Change['kind']> = {
  added: { tone: 'good', label: 'Added' },
  removed: { tone: 'bad', label: 'Removed' },
  changed: { tone: 'info', label: 'Changed' },
  moved: { tone: 'mute', label: 'Moved' },
}

type ChangesProps = {
  readonly of: readonly Change[]
  /** One level below what they stand in. */
  readonly heading?: 'h3' | 'h4'
}

/** What became of the rules between two versions. */
export function Changes({ of: changes, heading: Heading = 'h3' }: ChangesProps) {
  if (changes.length === 0)
    return <Empty title="The rules are the same">Both versions decide the same way.</Empty>
  return (
    <ul className="changes">
      {changes.map(({ kind, rule, lines }) => (
        <li key={rule.id}>
          <div className="change-head">
            <Marked of={KINDS[kind]} />
            <Heading>{titleOf(rule)}</Heading>
            <small>
              {groupOf(rule.flow)?.label} · {ACTIONS[rule.action].title}
            </small>
          </div>
          <ChangeLines lines={lines} />
        </li>
      ))}
    </ul>
  )
}

/** The signs are read out as words. */
export function ChangeLines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ul className="change-lines">
      {lines.map(({ isNew, text }) => (
        <li key={`${isNew} ${text}`} className={isNew ? 'new' : 'old'}>
          <span aria-hidden="true">{isNew ? '+' : '−'}</span>
          <span className="visually-hidden">{isNew ? 'Now: ' : 'Before: '}</span>
          {isNew ? <ins>{text}</ins> : <del>{text}</del>}
        </li>
      ))}
    </ul>
  )
}
