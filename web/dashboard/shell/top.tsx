import { type ReactNode, useState } from 'react'
import { useAddress } from '../address.ts'
import { useMe } from '../api/me.ts'
import { Icon, Menu, type MenuItem, Popover } from '../parts/controls.tsx'
import { ZONE } from '../parts/values.tsx'
import { initialsOf } from './account-switch.tsx'
import { SearchDialog, useSearchKey } from './search.tsx'
import { signOut, signOutEverywhere } from './sign-out.ts'
import { THEMES, useTheme } from './theme.ts'

/** The bar above every page. */
export function Top({ children }: { readonly children: ReactNode }) {
  const { environment } = useMe()
  const [isSearching, setSearching] = useState(false)
  useSearchKey(() => setSearching(true))
  return (
    <header className="top">
      {children}
      <button type="button" className="find" onClick={() => setSearching(true)}>
        <Icon name="search" />
        <span>Search payments, buyers, pages…</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span className="spacer" />
      {environment === 'sandbox' && (
        <span className="badge" title="No money moves here">
          Sandbox
        </span>
      )}
      <ThemeChoice />
      <Person />
      {isSearching && <SearchDialog onClose={() => setSearching(false)} />}
    </header>
  )
}

function ThemeChoice() {
  const { chosen, shown, choose } = useTheme()
  return (
    <Popover
      className="button quiet icon-only"
      label="Theme"
      side="end"
      button={<Icon name={shown === 'dark' ? 'moon' : 'sun'} />}
    >
      {(close) => (
        <Menu
          close={close}
          items={THEMES.map(([theme, label]) => ({
            label,
            isChosen: theme === chosen,
            onChoose: () => choose(theme),
          }))}
        />
      )}
    </Popover>
  )
}

const EVERYWHERE: MenuItem = {
  label: 'Sign out of your company account, too',
  icon: 'out',
  onChoose: () => void signOutEverywhere(),
}

function Person() {
  const { name, email_address, has_oidc } = useMe()
  const { go } = useAddress()
  return (
    <Popover className="avatar round" side="end" button={<Face name={name} />}>
      {(close) => (
        <>
          <p className="person">
            <b>{name}</b>
            <small>{email_address}</small>
            <small>Times are in {ZONE}</small>
          </p>
          <Menu
            close={close}
            items={[
              { label: 'Your settings', icon: 'person', onChoose: () => go('/me') },
              { label: 'Sign out', icon: 'out', onChoose: () => void signOut() },
              ...(has_oidc ? [EVERYWHERE] : []),
            ]}
          />
        </>
      )}
    </Popover>
  )
}

function Face({ name }: { readonly name: string }) {
  return (
    <>
      <span aria-hidden="true">{initialsOf(name)}</span>
      <span className="visually-hidden">You: {name}</span>
    </>
  )
}
