import { AccountDetail } from './detail.tsx'
import type { Account, Kind } from './kind.ts'
import { AccountCatalogue, AccountList } from './list.tsx'
import { EditAccount, NewAccount } from './save.tsx'

/** The pages of one kind of accounts. */
export function pagesOf<One extends Account>(kind: Kind<One>) {
  return {
    '/': () => <AccountList kind={kind} />,
    '/new': () => <AccountCatalogue kind={kind} />,
    '/new/$definition': () => <NewAccount kind={kind} />,
    '/$id': () => <AccountDetail kind={kind} />,
    '/$id/edit': () => <EditAccount kind={kind} />,
  }
}
