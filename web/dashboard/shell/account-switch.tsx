import { useAddress } from '../address.ts'
import { ACCOUNT_PARAMETER, rememberAccount, selectedAccount } from '../api/account.ts'
import { useMe } from '../api/me.ts'
import { Icon, Menu, Popover } from '../parts/controls.tsx'

/** Names the merchant account that everything on the page belongs to, and leads to the others. */
export function AccountSwitch() {
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
