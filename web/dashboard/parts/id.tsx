import { useState } from 'react'
import { Icon } from './icon.tsx'

/** An id. A click copies it. `isShort` shows its beginning and end, for narrow places. */
export function Id({ value, isShort }: { readonly value: string; readonly isShort?: boolean }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(value).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 1_500)
    })
  return (
    <button type="button" className="id" title={value} onClick={copy} aria-label={`Copy ${value}`}>
      <span className="mono">
        {isShort && value.length > 16 ? `${value.slice(0, 8)}…${value.slice(-4)}` : value}
      </span>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </button>
  )
}
