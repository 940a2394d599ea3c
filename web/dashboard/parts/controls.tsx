import { Link as RouterLink, useRouterState } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { kept, type Search } from '../address.ts'

type Look = {
  /** `main` for what most people come for, one on a page. `danger` for what cannot be undone. */
  readonly tone?: 'main' | 'plain' | 'quiet' | 'danger'
  readonly icon?: IconName
  readonly children?: ReactNode
}

export function Button({
  tone = 'plain',
  icon,
  children,
  ...button
}: Look & Omit<ComponentProps<'button'>, 'className'>) {
  return (
    <button type="button" {...button} className={`button ${tone}`} data-icon-only={children ? undefined : ''}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

type MoveProps = {
  /** Of rows that keep the focus: the buttons are found by it. */
  readonly id?: string
  readonly name: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (step: 1 | -1) => void
}

/** Moves a row of an ordered list. */
export function MoveButtons({ id, name, isFirst, isLast, onMove }: MoveProps) {
  return (
    <>
      <Button
        {...(id && { id: `up-${id}` })}
        tone="quiet"
        icon="up"
        aria-label={`Move ${name} up`}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <Button
        {...(id && { id: `down-${id}` })}
        tone="quiet"
        icon="down"
        aria-label={`Move ${name} down`}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
    </>
  )
}

/** Links to pages of one area. The one that is open is marked. */
export function Ways({ label, ways }: WaysProps) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <nav className="views" aria-label={label}>
      {ways.map(({ to, label: name }) => (
        <Link key={to} to={to} className={path === to ? 'view shown' : 'view'}>
          {name}
        </Link>
      ))}
    </nav>
  )
}

type WaysProps = {
  readonly label: string
  readonly ways: readonly { readonly to: string; readonly label: string }[]
}

type Place = { readonly to: string; readonly search?: Search }

export function LinkButton({ tone = 'plain', icon, children, to, search }: Look & Place) {
  return (
    <Link to={to} search={search} className={`button ${tone}`}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  )
}

type Props = {
  /** A path of the dashboard, such as `/buyers/7b1c…`, without `/dashboard`. */
  readonly to: string
  readonly search?: Search | undefined
  readonly className?: string | undefined
  readonly title?: string | undefined
  /** Beside a page whose text would be lost. */
  readonly target?: '_blank'
  readonly children: ReactNode
  readonly onClick?: () => void
}

/** A link to a page of the dashboard. It keeps the merchant account. */
export function Link({ to, search = {}, ...link }: Props) {
  return <RouterLink {...link} to={to} search={(old: Search) => ({ ...kept(old), ...search }) as never} />
}

/** Copies a text that is shown beside it. */
export function CopyButton({
  text,
  label = 'Copy',
  tone = 'quiet',
}: {
  readonly text: string
  readonly label?: string
  readonly tone?: 'main' | 'plain' | 'quiet'
}) {
  const { isCopied, copy } = useCopy(text)
  return (
    <>
      <Button tone={tone} icon={isCopied ? 'check' : 'copy'} onClick={copy}>
        {isCopied ? 'Copied' : label}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  )
}

type PopoverProps = {
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
}: PopoverProps) {
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

type DialogProps = {
  readonly title: string
  readonly onClose: () => void
  /** While true, neither Escape nor the button closes it. */
  readonly isLocked?: boolean
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A dialog over the page. The browser keeps the focus in it, and gives it back at the end. */
export function Dialog({ title, onClose, isLocked = false, isWide, children }: DialogProps) {
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

/** Drawn for 16 pixels, with lines of 1.35. */
const PATHS = {
  home: 'M2.8 7 8 2.8 13.2 7v6.2H9.7V9.8H6.3v3.4H2.8z',
  transactions: 'M2.5 5.5h9.5M9.5 3 12 5.5 9.5 8M13.5 10.5H4M6.5 8 4 10.5 6.5 13',
  buyers: 'M8 7.6a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.5-2.5 2.5-3.7 5-3.7s4.5 1.2 5 3.7',
  card: 'M2 4h12v8.2H2zM2 6.8h12M4.3 9.8h2.7',
  gift: 'M3 7.5h10v6H3zM2.3 4.8h11.4v2.7H2.3zM8 4.8v8.7M8 4.8C6.2 4.8 4.6 4 5 2.9c.5-1.2 2.4-.3 3 1.9 .6-2.2 2.5-3.1 3-1.9.4 1.1-1.2 1.9-3 1.9z',
  link: 'M6.7 9.3a2.5 2.5 0 0 0 3.5 0l2.2-2.2a2.5 2.5 0 0 0-3.5-3.5l-.8.8M9.3 6.7a2.5 2.5 0 0 0-3.5 0L3.6 8.9a2.5 2.5 0 0 0 3.5 3.5l.8-.8',
  payout: 'M3 10.5v2.7h10v-2.7M8 10.2V2.8M5.2 5.6 8 2.8l2.8 2.8',
  refund: 'M6 3.2 3.2 6 6 8.8M3.2 6h6.3a3.5 3.5 0 0 1 0 7H6.5',
  settlement: 'M2.5 6 8 2.8 13.5 6zM4 6v5.5M8 6v5.5M12 6v5.5M2.5 13.2h11',
  dispute:
    'M8 2.5v11M4.5 13.5h7M3 4.5l5-1.2 5 1.2M3 4.5 1.6 8.6a1.7 1.7 0 0 0 2.8 0zM13 4.5l-1.4 4.1a1.7 1.7 0 0 0 2.8 0z',
  insight: 'M2.5 13.5h11M4.3 11V8.2M8 11V4.2M11.7 11V6.2',
  report: 'M4 2.5h5.3l3 3v8H4zM9.3 2.5v3h3M6.2 8.5h4M6.2 11h4',
  monitor: 'M1.8 8.5h3l1.7-4.7 3 8.4 1.7-3.7h3',
  service: 'M6 2.3v2.9M10 2.3v2.9M4 5.2h8v2.3a4 4 0 0 1-8 0zM8 11.5v2.3',
  routing: 'M2.5 11.5h8.7M5 11.5c4 0 2.6-7 6.2-7M11.5 2.4l2.2 2.1-2.2 2.1M11.5 9.4l2.2 2.1-2.2 2.1',
  shield: 'M8 2.2 3.4 4v3.8c0 3 1.9 5 4.6 6 2.7-1 4.6-3 4.6-6V4zM6 8l1.5 1.5 2.7-3',
  wallet: 'M2.5 4.8h10.8v8.5H2.5zM2.5 4.8l8-2.2v2.2M10.3 8.2h3v2.2h-3z',
  webhook:
    'M8 6.3 5.8 10M5.4 4.9a2.6 2.6 0 1 1 4.3 2M7.2 11.8a2.6 2.6 0 1 1-3.6-2.5M8.8 11.6h2.5a2.6 2.6 0 1 0 .2-3.7',
  event: 'M8.8 2 4 9h3.5l-.5 5L12 7H8.3z',
  key: 'M9.8 9.2a3.1 3.1 0 1 0-3-3.8L2.5 9.8v3.4h3.2v-2h1.9V9.6zM10.6 5.5h.1',
  log: 'M2.8 4h10.4M2.8 8h10.4M2.8 12h6.4',
  sandbox: 'M6 2.5h4M6.8 2.5v4L3.2 12.5c-.3.5 0 1 .5 1h8.6c.5 0 .8-.5.5-1L9.2 6.5v-4M5 10h6',
  settings: 'M2.5 4.5h6M11.5 4.5h2M10 3v3M2.5 11.5h2M7.5 11.5h6M6 10v3',
  account: 'M3 13.5V5l5-2.5L13 5v8.5M1.8 13.5h12.4M6 7.3h.1M10 7.3h.1M6.5 13.5v-3h3v3',
  role: 'M8 2.5l1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.2 4.6 13l.7-3.8L2.5 6.5 6.3 6z',
  brand:
    'M8 2.5a5.5 5.5 0 1 0 0 11c1.2 0 1.5-.8 1.2-1.6-.4-1 .2-1.9 1.3-1.9h1.3c1 0 1.7-.8 1.7-2C13.5 4.7 11 2.5 8 2.5zM5.3 7.3h.1M8 5.4h.1M10.7 7h.1',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.1 3.1',
  updown: 'M5.5 6 8 3.5 10.5 6M5.5 10 8 12.5 10.5 10',
  moon: 'M12.8 9.6A5.4 5.4 0 0 1 6.4 3.2a5.4 5.4 0 1 0 6.4 6.4z',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1',
  plus: 'M8 3.5v9M3.5 8h9',
  close: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  down: 'M4.5 6.5 8 10l3.5-3.5',
  up: 'M4.5 9.5 8 6l3.5 3.5',
  view: 'M4.5 2.8h7v10.4L8 10.4l-3.5 2.8z',
  next: 'M6.5 3.5 11 8l-4.5 4.5',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  download: 'M8 2.8v7.4M5.2 7.4 8 10.2l2.8-2.8M3 13.2h10',
  copy: 'M5.8 5.8V3H13v7.2h-2.8M3 5.8h7.2V13H3z',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  check: 'M3.5 8.5l3 3 6-6.7',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3.3 8a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0zM7.5 8a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0zM11.7 8a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0z',
  clock: 'M8 13.7A5.7 5.7 0 1 0 8 2.3a5.7 5.7 0 0 0 0 11.4zM8 5v3.2l2 1.3',
  info: 'M8 13.7A5.7 5.7 0 1 0 8 2.3a5.7 5.7 0 0 0 0 11.4zM8 7.5v3.3M8 5.2v.1',
  alert: 'M8 2.6 14 13H2zM8 6.6v3M8 11.3v.1',
  sync: 'M13 7A5 5 0 0 0 4 4.5L3 6M3 3v3h3M3 9a5 5 0 0 0 9 2.5l1-1.5M13 13v-3h-3',
  out: 'M6.5 3H3v10h3.5M6.5 8h7M11 5.2 13.8 8 11 10.8',
  open: 'M9 3h4v4M13 3 7.5 8.5M11 9.5V13H3V5h3.5',
  person: 'M8 7.6a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.5-2.5 2.5-3.7 5-3.7s4.5 1.2 5 3.7',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
