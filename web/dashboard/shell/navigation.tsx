import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useMay, useMe } from '../api/me.ts'
import { AREAS, type Area, GROUPS } from '../areas.ts'
import { Button, Icon, Link } from '../parts/controls.tsx'
import { AccountSwitch } from './account-switch.tsx'
import { Logo } from './logo.tsx'

/** At the side; on a phone, a drawer over the page. */
export function Navigation({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <>
      <div className="side">
        <Content />
      </div>
      {isOpen && <Drawer onClose={onClose} />}
    </>
  )
}

function Drawer({ onClose }: { readonly onClose: () => void }) {
  const place = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={place} className="drawer" aria-label="Navigation" onCancel={onClose}>
      <div className="drawer-close">
        <Button tone="quiet" icon="close" aria-label="Close the navigation" onClick={onClose} />
      </div>
      <Content />
    </dialog>
  )
}

function Content() {
  const areas = useAreas()
  const place = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // Of many areas, the one that is shown may be below the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another area is shown
  useEffect(() => {
    const shown = place.current?.querySelector('.nav-link[data-status="active"]')
    // Newer browsers answer with a promise, which is no way to end an effect.
    void shown?.scrollIntoView({ block: 'nearest' })
  }, [path])
  return (
    <nav ref={place} aria-label="Areas">
      <Logo />
      <AccountSwitch />
      {GROUPS.map((group) => {
        const own = areas.filter((area) => area.group === group)
        return own.length > 0 && <Group key={group} name={group} areas={own} />
      })}
    </nav>
  )
}

function Group({ name, areas }: { readonly name: string; readonly areas: readonly Area[] }) {
  return (
    <section className="group">
      {name && <h2>{name}</h2>}
      <ul>
        {areas.map(({ path, name: label, icon }) => (
          <li key={path}>
            <Link to={path} className="nav-link">
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Those that the person may see. */
export function useAreas(): readonly Area[] {
  const may = useMay()
  const { environment } = useMe()
  return AREAS.filter(
    ({ permission, isForSandbox }) => may(permission) && (!isForSandbox || environment === 'sandbox'),
  )
}
