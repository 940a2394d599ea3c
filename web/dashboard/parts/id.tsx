import { Icon } from './icon.tsx'
import { useCopy } from './use-copy.ts'

/** An id. A click copies it. `isShort` shows its beginning and end, for narrow places. */
export function Id({ value, isShort }: { readonly value: string; readonly isShort?: boolean }) {
  const { isCopied, copy } = useCopy(value)
  const shown = isShort && value.length > 16 ? `${value.slice(0, 8)}…${value.slice(-4)}` : value
  return (
    <button type="button" className="id" title={value} onClick={copy} aria-label={`Copy ${shown}`}>
      <span className="mono">{shown}</span>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </button>
  )
}
