import { useState } from 'react'

const SHOWN_MS = 1_500

/** Copies a text, and knows for a moment that it has. */
export function useCopy(text: string): { readonly isCopied: boolean; readonly copy: () => void } {
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), SHOWN_MS)
    })
  return { isCopied, copy }
}
