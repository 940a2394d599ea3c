import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { Button, Dialog } from '../parts/controls.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { capital } from '../parts/locale.ts'
import { Notice, Page, Problem } from '../parts/page.tsx'
import { exactText, Facts, Id, moneyText, When } from '../parts/values.tsx'

export const pages = { '/': AuditLog }

type Row = RowOf<'GET /audit-logs'>

const ACTIONS: Readonly<Record<Row['action'], string>> = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
  voided: 'Voided',
  canceled: 'Canceled',
  captured: 'Captured',
}

/** Who did what, and when. */
function AuditLog() {
  const may = useMay()
  const users = useRead('GET /users', { query: { limit: 100 }, isWanted: may('users.read') })
  const { is_unrestricted } = useMe()
  const [shown, setShown] = useState<Row>()
  const [isChecking, setChecking] = useState(false)
  return (
    <Page
      title="Audit log"
      actions={
        // The chain goes over all merchant accounts.
        is_unrestricted && (
          <Button icon="shield" onClick={() => setChecking(true)}>
            Check the chain
          </Button>
        )
      }
    >
      <List
        name="audit-log"
        route="GET /audit-logs"
        filters={filters(users.data?.items ?? [])}
        columns={columns(setShown)}
        empty={{ title: 'No entries yet', text: 'What people and keys change appears here.' }}
      />
      {isChecking && <ChainCheck onClose={() => setChecking(false)} />}
      {shown && <Entry entry={shown} onClose={() => setShown(undefined)} />}
    </Page>
  )
}

function filters(users: readonly { readonly id: string; readonly name: string }[]): readonly Filter[] {
  return [
    filterBy('period', 'timestamp', 'When', { isUsual: true }),
    filterBy('choice', 'category', 'About', {
      isSingle: true,
      isUsual: true,
      options: [
        { value: 'configuration', label: 'Settings and access' },
        { value: 'payments', label: 'Payments and buyers' },
      ],
    }),
    filterBy('choice', 'action', 'Action', { isSingle: true, isUsual: true, options: optionsOf(ACTIONS) }),
    filterBy('choice', 'resource_type', 'Kind', {
      isSingle: true,
      isUsual: true,
      options: optionsOf(KINDS).toSorted((one, other) => one.label.localeCompare(other.label)),
    }),
    filterBy('choice', 'user_id', 'Who', {
      isSingle: true,
      isUsual: true,
      options: users.map(({ id, name }) => ({ value: id, label: name })),
    }),
  ]
}

function optionsOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }))
}

function columns(show: (row: Row) => void): readonly Column<Row>[] {
  return [
    column('timestamp', 'When', { cell: ({ timestamp }) => <When at={timestamp} />, text: 'timestamp' }),
    column('user', 'Who', { text: ({ user }) => user.name }),
    column('action', 'Action', { cell: ({ action }) => ACTIONS[action], text: 'action' }),
    column('resource_type', 'Kind', {
      cell: ({ resource }) => kindText(resource.type),
      text: ({ resource }) => resource.type,
      from: 'tablet',
    }),
    column('resource', 'What', { from: 'tablet', text: ({ resource }) => nameText(resource) }),
    column('merchant_account_id', 'Merchant account', {
      cell: ({ merchant_account_id }) => merchant_account_id ?? 'All',
      text: 'merchant_account_id',
      isExtra: true,
    }),
    column('more', 'More', {
      isNumber: true,
      cell: (row) => (
        <Button
          tone="quiet"
          icon="info"
          aria-label={`Details of ${nameText(row.resource)}`}
          onClick={() => show(row)}
        />
      ),
    }),
  ]
}

function Entry({ entry, onClose }: { readonly entry: Row; readonly onClose: () => void }) {
  const { user, resource } = entry
  return (
    <Dialog title={`${ACTIONS[entry.action]}: ${nameText(resource)}`} onClose={onClose}>
      <div className="dialog-body">
        <Facts
          facts={[
            ['When', exactText(entry.timestamp)],
            ['Who', user.name],
            ['E-mail address', user.email_address],
            ['Who, by id', user.id && <Id key="user" value={user.id} isShort />],
            ['Kind', kindText(resource.type)],
            ['Type in the API', <code key="type">{resource.type}</code>],
            ['Thing', <Id key="thing" value={resource.id} isShort />],
            ['Merchant account', entry.merchant_account_id ?? 'All'],
            ['Entry', <Id key="entry" value={entry.id} isShort />],
          ]}
        />
      </div>
    </Dialog>
  )
}

type Part = Schemas['AuditLogVerification']
type Sum = Pick<Part, 'checked_entries' | 'first_entry_at'>

/** Entries are chained: none can be changed or taken out without a trace. A long chain is checked in parts. */
function ChainCheck({ onClose }: { readonly onClose: () => void }) {
  const [part, setPart] = useState<Part>()
  const [sum, setSum] = useState<Sum>({ checked_entries: 0, first_entry_at: null })
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    setError(undefined)
    let found = part?.status === 'incomplete' ? part : undefined
    let all = found ? sum : { checked_entries: 0, first_entry_at: null }
    do {
      const query = found?.next ? { after: found.next } : {}
      found = await send('GET /audit-logs/verification', { query })
      all = {
        checked_entries: all.checked_entries + found.checked_entries,
        first_entry_at: all.first_entry_at ?? found.first_entry_at,
      }
      setPart(found)
      setSum(all)
    } while (found.status === 'incomplete')
  }
  return (
    <Dialog title="Check the chain" onClose={onClose} isLocked={isBusy}>
      <div className="dialog-body">
        <p className="dialog-text">
          Every entry is sealed together with those before it. The check computes every seal in the database
          again.
        </p>
        {part && <Result part={part} sum={sum} />}
        {error !== undefined && <Problem error={error} />}
        <div className="dialog-actions">
          <Button onClick={onClose} disabled={isBusy}>
            Close
          </Button>
          <Button
            tone="main"
            disabled={isBusy}
            onClick={() =>
              void check()
                .catch((failure: unknown) => {
                  // The next check begins at the beginning: links may have moved to a file meanwhile.
                  setPart(undefined)
                  setError(failure)
                })
                .finally(() => setBusy(false))
            }
          >
            {isBusy ? 'Checking…' : 'Check'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Result({ part, sum }: { readonly part: Part; readonly sum: Sum }) {
  return (
    <>
      {part.status === 'intact' && (
        <Notice tone="good" title="The chain is intact" isNews>
          No entry was changed, put in or taken out.
        </Notice>
      )}
      {part.status === 'incomplete' && (
        <Notice tone="wait" title="What was checked so far is intact" isNews />
      )}
      {part.status === 'broken' && (
        <Notice tone="bad" title="The chain is broken" isNews>
          {part.problem}
        </Notice>
      )}
      {part.stale !== null && (
        <Notice tone="wait" title="Newer entries are not sealed yet">
          {part.stale}
        </Notice>
      )}
      <Facts
        facts={[
          ['Entries', sum.checked_entries.toLocaleString('en')],
          ['From', sum.first_entry_at && exactText(sum.first_entry_at)],
          ['To', part.last_entry_at && exactText(part.last_entry_at)],
          ['Seal of the end', <Id key="head" value={part.head} isShort />],
        ]}
      />
      {part.archived_links > 0 && (
        <p className="hint">
          The oldest {part.archived_links.toLocaleString('en')} seals are in archived files. The operator
          checks them with <code>switchyard verify</code>.
        </p>
      )}
      <p className="hint">
        Note the seal outside this installation: a later check from it also finds a chain that was cut short.
      </p>
    </>
  )
}

/** What is changed, in words, by the type that the API gives it. */
const KINDS: Readonly<Record<string, string>> = {
  'account-updater-job': 'Card update',
  'anti-fraud-service': 'Anti-fraud service',
  'three-ds-service': '3-D Secure service',
  'network-token-service': 'Network token service',
  'account-updater-service': 'Account updater service',
  'api-key-pair': 'API key',
  archive: 'Archive',
  'audit-log': 'Audit log',
  buyer: 'Buyer',
  'buyer-erasure': 'Erasure of a buyer',
  'buyer-shipping-details': 'Shipping details',
  'card-bins': 'BIN data',
  'chargeback-answer': 'Answer to a chargeback',
  'checkout-page': 'Checkout page',
  'checkout-session': 'Checkout session',
  'digital-wallet': 'Wallet',
  'failed-sign-in': 'Failed sign-in',
  'flow-rule': 'Flow rule',
  'flow-version': 'Flow version',
  'gift-card': 'Gift card',
  'gift-card-activation': 'Gift card activation',
  'gift-card-issuance': 'Gift card issuance',
  'gift-card-service': 'Gift card service',
  'lock-out': 'Lock-out',
  'merchant-account': 'Merchant account',
  'merchant-account.theme': 'Branding',
  'merchant-account.three-ds-configuration': '3DS configuration',
  'metrics-explorer.preset': 'Saved chart',
  'monitoring.incident': 'Incident',
  'network-token': 'Network token',
  'page-check': 'Check of payment pages',
  passkey: 'Passkey',
  password: 'Password',
  'payment-link': 'Payment link',
  'payment-method': 'Payment method',
  'payment-service': 'Payment service',
  'payment-service-report-file': 'Settlement file',
  'payment-service-token': 'Payment service token',
  payout: 'Payout',
  refund: 'Refund',
  report: 'Report',
  'retry-policy': 'Retry policy',
  role: 'Role',
  'saved-view': 'Saved view',
  'three-d-secure-scenario': '3DS scenario',
  transaction: 'Payment',
  user: 'User',
  'user-session': 'Session of a user',
  vault: 'Vault',
  'vault-forward-authentication': 'Authentication for card forwarding',
  'vault-forward-endpoint': 'Host for card forwarding',
  'webhook-subscription': 'Webhook subscription',
}

/** A type that is newer than this list, as words. */
function kindText(type: string): string {
  return KINDS[type] ?? capital(type.replaceAll(/[-.]/g, ' '))
}

const NAMED_BY_AMOUNT = ['transaction', 'refund', 'payout', 'payment-link', 'gift-card-issuance']

/** Entries about money are named by its amount, in minor units. */
function nameText({ type, name }: { readonly type: string; readonly name: string }): string {
  const [, currency, amount] = /^([A-Z]{3}) (\d+)$/.exec(name) ?? []
  if (currency === undefined || !NAMED_BY_AMOUNT.includes(type)) return name
  return moneyText(Number(amount), currency)
}
