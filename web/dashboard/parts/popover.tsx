import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = {
  /** What the button shows. */
  readonly button: ReactNode
  readonly className?: string
  readonly label?: string
  /** Made when it is opened. Call the function to close it. */
  readonly children: (close: () => void) => ReactNode
  readonly side?: 'start' | 'end'
  readonly isOpenAtOnce?: boolean
}

/** A button, and what it opens beside it. The browser closes it on Escape, and on a click elsewhere. */
export function Popover({
  button,
  className = 'button plain',
  label,
  children,
  side = 'start',
  isOpenAtOnce,
}: Props) {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const element = place.current
    const listen = (event: Event) => setOpen((event as ToggleEvent).newState === 'open')
    const focus = () => element?.querySelector<HTMLElement>('input, select, button')?.focus()
    element?.addEventListener('beforetoggle', listen)
    element?.addEventListener('toggle', focus)
    return () => {
      element?.removeEventListener('beforetoggle', listen)
      element?.removeEventListener('toggle', focus)
    }
  }, [])
  useEffect(() => {
    // Its place is beside the button.
    if (isOpenAtOnce && opener.current) place.current?.showPopover({ source: opener.current })
  }, [isOpenAtOnce])
  return (
    <span className="popover-place">
      <button
        ref={opener}
        type="button"
        className={className}
        popoverTarget={id}
        aria-label={label}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
      >
        {button}
      </button>
      <div ref={place} id={id} popover="auto" className={`pop ${side}`}>
        {isOpen && children(() => place.current?.hidePopover())}
      </div>
    </span>
  )
}

export type MenuItem = {
  readonly label: string
  readonly icon?: IconName
  readonly isChosen?: boolean
  readonly onChoose: () => void
}

/** Acts of which there are too many for buttons. */
export function Menu({ items, close }: { readonly items: readonly MenuItem[]; readonly close: () => void }) {
  return (
    <ul className="menu">
      {items.map(({ label, icon, isChosen, onChoose }) => (
        <li key={label}>
          <button
            type="button"
            aria-current={isChosen || undefined}
            onClick={() => {
              close()
              onChoose()
            }}
          >
            {icon && <Icon name={icon} />}
            <span>{label}</span>
            {isChosen && <Icon name="check" />}
          </button>
        </li>
      ))}
    </ul>
  )
}
