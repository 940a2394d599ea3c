import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { Button, Icon, Link } from '../parts/controls.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { useReach } from '../parts/reach.ts'
import { When } from '../parts/values.tsx'
import { placeOf } from './places.ts'
import { countOf, KINDS } from './words.ts'

type Item = Schemas['AttentionItem']

/** What waits for a person, the most urgent first. Each leads to where it is dealt with. */
export function Attention() {
  const attention = useRead('GET /attention', {})
  return (
    <Section
      title="Needs attention"
      isFlush
      actions={
        attention.data && (
          <>
            <small className="quiet-text">
              Checked <When at={attention.data.checked_at} />
            </small>
            <Button
              tone="quiet"
              icon="sync"
              aria-label="Refresh"
              disabled={attention.isFetching}
              onClick={() => void attention.refetch()}
            />
          </>
        )
      }
    >
      <Loaded of={attention}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing />
          ) : (
            <ul className="needs">
              {items.map((item) => (
                <Need key={`${item.kind} ${item.path}`} item={item} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function Nothing() {
  return (
    <div className="no-need">
      <Icon name="check" />
      <div>
        <h3>All clear</h3>
        <p>No open reviews or chargebacks, no stuck payments, and everything is running.</p>
      </div>
    </div>
  )
}

function Need({ item }: { readonly item: Item }) {
  const isInReach = useReach()
  const { icon, tone, title, text } = KINDS[item.kind]
  const place = placeOf(item)
  const content = (
    <>
      <span className={`need-icon ${tone}`}>
        <Icon name={icon} />
      </span>
      <span className="need-text">
        <b>{title(item.count, item.has_more)}</b>
        <small>{text}</small>
      </span>
      <span className="need-count">
        <b className="number">{countOf(item)}</b>
        <small>
          {item.count > 1 && (item.kind === 'expiring_certificates' ? 'the first ' : 'the oldest ')}
          <When at={item.oldest_at} />
        </small>
      </span>
    </>
  )
  return (
    <li>
      {place && isInReach(place.to) ? (
        <Link to={place.to} search={place.search} className="need">
          {content}
          <Icon name="next" />
        </Link>
      ) : (
        <div className="need">{content}</div>
      )}
    </li>
  )
}
