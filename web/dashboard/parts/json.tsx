import { CopyButton } from './copy-button.tsx'

type Props = {
  readonly value: unknown
  readonly openDepth?: number
  /** Tells it from others on the same page. */
  readonly label?: string
}

/** A value as a tree whose branches open and close, and as text to copy. */
export function Json({ value, openDepth = 1, label = 'JSON as a tree' }: Props) {
  return (
    <div className="json">
      <CopyButton text={JSON.stringify(value, null, 2)} />
      {/* Long lines scroll, also by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
      <section className="json-tree mono" tabIndex={0} aria-label={label}>
        <Branch value={value} depth={openDepth} />
      </section>
    </div>
  )
}

function Branch({
  name,
  value,
  depth,
}: {
  readonly name?: string
  readonly value: unknown
  readonly depth: number
}) {
  const label = name === undefined ? null : <span className="json-name">{name}: </span>
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    const kind = value === null ? 'null' : typeof value
    return (
      <div>
        {label}
        <span className={`json-${kind}`}>{JSON.stringify(value)}</span>
      </div>
    )
  }
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  return (
    <details open={depth > 0}>
      <summary>
        {label}
        <span className="json-count">
          {isList ? '[' : '{'}
          {entries.length}
          {isList ? ']' : '}'}
        </span>
      </summary>
      <div className="json-inside">
        {entries.map(([key, one]) => (
          <Branch key={key} name={key} value={one} depth={depth - 1} />
        ))}
      </div>
    </details>
  )
}
