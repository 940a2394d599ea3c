import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'

type Props = {
  readonly title: string
  readonly onClose: () => void
  /** While true, neither Escape nor the button closes it. */
  readonly isLocked?: boolean
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A dialog over the page. The browser keeps the focus in it, and gives it back at the end. */
export function Dialog({ title, onClose, isLocked = false, isWide, children }: Props) {
  const id = useId()
  const place = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={place}
      className={isWide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!isLocked) onClose()
      }}
      onKeyDown={(event) => {
        // A browser lets a second Escape through, and would close what is still being sent.
        if (event.key === 'Escape' && isLocked) event.preventDefault()
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button tone="quiet" icon="close" aria-label="Close" disabled={isLocked} onClick={onClose} />
      </div>
      {children}
    </dialog>
  )
}
