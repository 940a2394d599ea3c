import { useRead } from '../api/client.ts'
import { Button, Link } from '../parts/controls.tsx'
import { Notice } from '../parts/page.tsx'
import { When } from '../parts/values.tsx'
import { ChangeLines } from './changes.tsx'
import { differences } from './diff.ts'
import { type Rules, useOutcomeText } from './use-rules.ts'
import { HISTORY, type Rule } from './words.ts'

type Props = {
  /** The version that the person began with. */
  readonly since: number
  /** As they are now. */
  readonly rules: Rules
  /** The rule as it was then. Undefined: the person writes a new one. */
  readonly opened: Rule | undefined
  readonly onKeep: () => void
  readonly onTake: () => void
}

const SHOWN = 5

/** Others have changed the rules while a person wrote: what they did, and two ways to go on. */
export function Meanwhile({ since, rules, opened, onKeep, onTake }: Props) {
  const versions = useRead('GET /flows/versions', { query: { limit: SHOWN } })
  const newer = (versions.data?.items ?? []).filter(({ number }) => number > since)
  const outcomeText = useOutcomeText()
  const now = rules.all.find(({ id }) => id === opened?.id)
  const [own] = opened && now ? differences([opened], [now], outcomeText) : []
  const isGone = opened !== undefined && now === undefined
  return (
    <Notice tone="wait" title="The rules have changed since you opened this" isNews>
      <ul className="meanwhile">
        {newer.map(({ id, number, note, author, created_at }) => (
          <li key={id}>
            <Link to={`${HISTORY.to}/${number}`} className="text-link">
              Version {number}
            </Link>{' '}
            by {author.name}, <When at={created_at} />: {note}
          </li>
        ))}
      </ul>
      <p>{verdictOf(isGone, own !== undefined)}</p>
      {own && <ChangeLines lines={own.lines} />}
      <div className="actions">
        <Button onClick={onKeep}>{isGone ? 'Save mine as a new rule' : 'Keep my changes'}</Button>
        {own && <Button onClick={onTake}>Discard mine and start from theirs</Button>}
      </div>
    </Notice>
  )
}

function verdictOf(isGone: boolean, isChanged: boolean): string {
  if (isGone) return 'This rule was deleted.'
  if (isChanged) return 'This rule was changed. Your changes would replace this:'
  return 'This rule itself has not changed. Nothing you typed is lost.'
}
