import { Empty } from '../parts/page.tsx'
import { Status, type Tone } from '../parts/values.tsx'
import type { Change, Line } from './diff.ts'
import { ACTIONS, groupOf, titleOf } from './words.ts'

const KINDS: Readonly<Record<Change['kind'], { readonly tone: Tone; readonly label: string }>> = {
  added: { tone: 'good', label: 'Added' },
  removed: { tone: 'bad', label: 'Removed' },
  changed: { tone: 'info', label: 'Changed' },
  moved: { tone: 'mute', label: 'Moved' },
}

type Props = {
  readonly of: readonly Change[]
  /** One level below what they stand in. */
  readonly heading?: 'h3' | 'h4'
}

/** What became of the rules between two versions. */
export function Changes({ of: changes, heading: Heading = 'h3' }: Props) {
  if (changes.length === 0)
    return <Empty title="The rules are the same">Both versions decide the same way.</Empty>
  return (
    <ul className="changes">
      {changes.map(({ kind, rule, lines }) => (
        <li key={rule.id}>
          <div className="change-head">
            <Status tone={KINDS[kind].tone}>{KINDS[kind].label}</Status>
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
