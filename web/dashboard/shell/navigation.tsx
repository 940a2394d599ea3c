import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useAddress } from '../address.ts'
import { ACCOUNT_PARAMETER, rememberAccount, selectedAccount } from '../api/account.ts'
import { useMay, useMe } from '../api/me.ts'
import { AREAS, type Area, GROUPS } from '../areas.ts'
import { Button, Icon, Link, Menu, Popover } from '../parts/controls.tsx'
import { Logo } from './door.tsx'

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

/** Names the merchant account that everything on the page belongs to, and leads to the others. */
function AccountSwitch() {
  const { merchant_accounts: accounts } = useMe()
  const { go } = useAddress()
  const selected = selectedAccount()
  const account = accounts.find(({ id }) => id === selected)
  const choose = (id: string) => {
    rememberAccount(id)
    // The first page of the area: the ids in other addresses belong to the account that is left.
    const [, area = ''] = location.pathname.replace(/^[/]dashboard/, '').split('/')
    go(`/${area}`, { [ACCOUNT_PARAMETER]: id })
  }
  const face = (
    <>
      <span className="avatar" aria-hidden="true">
        {initialsOf(account?.display_name ?? selected ?? '')}
      </span>
      <span className="visually-hidden">Merchant account: </span>
      <span className="account-name">
        <b>{account?.display_name ?? 'Unknown account'}</b>
        <small className="mono">{selected}</small>
      </span>
    </>
  )
  if (accounts.length < 2 && account) return <div className="account">{face}</div>
  return (
    <Popover
      className="account"
      button={
        <>
          {face}
          <Icon name="updown" />
        </>
      }
    >
      {(close) => (
        <Menu
          close={close}
          items={accounts.map(({ id, display_name }) => ({
            label: display_name,
            isChosen: id === selected,
            onChoose: () => choose(id),
          }))}
        />
      )}
    </Popover>
  )
}

export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return [words[0]?.[0], words[1]?.[0]].join('').toUpperCase() || '·'
}
