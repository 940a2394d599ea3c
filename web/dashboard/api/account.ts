/** The merchant account that the page is about. The address names it, so that it is shared with the address. */
export const ACCOUNT_PARAMETER = 'account'

const REMEMBERED = 'switchyard.account'

let usable: readonly string[] = []

/** Undefined until it is known who has signed in: the server then takes the first account of the user. */
export function selectedAccount(): string | undefined {
  const named = new URLSearchParams(location.search).get(ACCOUNT_PARAMETER)
  // One that the user may not use is sent as well: the server refuses it, and the page says so.
  if (named) return named
  const remembered = localStorage.getItem(REMEMBERED)
  return usable.find((id) => id === remembered) ?? usable[0]
}

export function rememberAccount(id: string): void {
  localStorage.setItem(REMEMBERED, id)
}

export function setUsableAccounts(ids: readonly string[]): void {
  usable = ids
}
