import { browserComplaints } from '#payments/prepare/check-request.ts'
import { noLinkedSession, paidAlready } from '#payments/prepare/order.ts'
import type { Caller } from '#platform/access/auth.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import { isId } from '#platform/http/incoming.ts'
import { isSameValue } from '#platform/http/read-call.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { guestComplaints } from '#resources/buyers/details.ts'
import { namedTwice } from '#resources/buyers/find-named.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import * as sessions from '../store.ts'
import { isPageKey } from './bill.ts'
import type { OpenCheckoutPage } from './schemas.ts'
import type { StoredPage } from './store.ts'
import * as pages from './store.ts'

/** A page is open for as long as a token usually is. */
const EXPIRES_IN_MS = 3_600_000

type Asked<Shown> = {
  readonly caller: Caller
  readonly body: OpenCheckoutPage
  readonly show: (page: StoredPage) => Shown
}

/** What a page of the shop may not say: the same as when it pays itself, and no buyer whom its token does not name. */
export function openingComplaints(body: Sound<OpenCheckoutPage>, { caller }: About): ErrorDetail[] {
  const { external_identifier } = body.buyer ?? {}
  const { buyer_id, buyer_external_identifier } = body
  const linked = caller.pinned.checkout_session_id !== undefined
  return [
    ...unknownCodes(body),
    ...guestComplaints(body.buyer),
    ...namedTwice(body),
    ...(linked ? [] : browserComplaints(paymentIn(body), caller, undefined)),
    ...unnamed(caller, 'buyer_id', '/buyer_id', buyer_id),
    ...unnamed(caller, 'buyer_external_identifier', '/buyer_external_identifier', buyer_external_identifier),
    ...unnamed(caller, 'buyer_external_identifier', '/buyer/external_identifier', external_identifier),
  ]
}

/** What the page says of the payment. Who may keep a card is the page's own wish. */
function paymentIn({ store: _page, ...payment }: Sound<OpenCheckoutPage>): Partial<TransactionCreate> {
  return payment as Partial<TransactionCreate>
}

/** Stored cards can be paid with by whoever sees them. */
function unnamed(
  { isEmbed, pinned }: Caller,
  pin: 'buyer_id' | 'buyer_external_identifier',
  pointer: string,
  said: string | null | undefined,
): ErrorDetail[] {
  if (!isEmbed || !said || isSameValue(said, pinned[pin])) return []
  const message = `name the buyer in the token: put ${pin} into its claim embed`
  return [inBody(pointer, 'value_error.conflict', message)]
}

/** Makes the page of an order that a page of the shop describes, or changes it while nobody pays it. */
export function openPage<Shown>(
  scope: Scope,
  once: Once,
  { secrets }: Pick<Engine, 'secrets'>,
  { caller, body, show }: Asked<Shown>,
): Promise<Finished<Shown>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const linked = await lockLinked(tx, caller)
    const before = !linked && body.page_url ? await lockNamed(tx, secrets, body.page_url) : undefined
    if (linked) {
      const complaints = browserComplaints(paymentIn(body), caller, linked)
      if (complaints.length > 0) throw errors.invalid(...complaints)
    }
    const session = await saveOrder(tx, linked ?? before, orderOf(body, linked))
    await auditLogs.record(tx, linked || before ? 'updated' : 'created', {
      type: 'checkout-session',
      id: session.id,
      name: session.id,
    })
    return show(
      await pages.save(tx, session.id, { ...settingsOf(body), is_order_of_shop_page: linked === undefined }),
    )
  })
}

/** The session that the token belongs to. */
async function lockLinked(tx: Scope<Tx>, { pinned }: Caller): Promise<sessions.StoredSession | undefined> {
  const { checkout_session_id: id } = pinned
  if (id === undefined) return undefined
  const session = isId(String(id).toLowerCase())
    ? await sessions.lock(tx, String(id).toLowerCase())
    : undefined
  if (!session) throw noLinkedSession()
  if (session.transaction_id !== null) throw paidAlready('/checkout_session_id')
  return session
}

/** The session of a page that was opened before. Buyers know the address of their page: an order of the merchant's server stays as it is. */
async function lockNamed(
  tx: Scope<Tx>,
  secrets: Engine['secrets'],
  url: string,
): Promise<sessions.StoredSession> {
  const [id = '', key = ''] = (URL.parse(url)?.pathname ?? '').split('/').slice(-2)
  const isRight = isId(id) && isPageKey(secrets, { merchantAccountId: tx.merchantAccountId, id }, key)
  const session = isRight ? await sessions.lock(tx, id) : undefined
  const page = session && (await pages.find(tx, session.id))
  if (!session || !page?.is_order_of_shop_page) {
    const message = 'there is no such page that this operation opened without a session of your server'
    throw errors.invalid(inBody('/page_url', 'value_error.not_found', message))
  }
  if (session.transaction_id === null) return session
  const message = 'the page is being paid or is paid already: open another one for another order'
  throw errors.invalid(inBody('/page_url', 'value_error.conflict', message))
}

function saveOrder(
  tx: Scope<Tx>,
  before: sessions.StoredSession | undefined,
  order: sessions.Order,
): Promise<sessions.StoredSession> {
  if (before) return sessions.update(tx, before.id, order, undefined)
  return sessions.insert(tx, order, new Date(tx.clock().getTime() + EXPIRES_IN_MS))
}

/** What the merchant's server has put into the session stays. */
function orderOf(body: OpenCheckoutPage, linked: sessions.StoredSession | undefined): sessions.Order {
  const { amount, currency, country, intent, payment_source, cart_items, metadata } = body
  const said = {
    amount,
    currency,
    country,
    intent,
    payment_source,
    cart_items,
    metadata,
    buyer: buyerOf(body),
  }
  const isNew = (name: string) => (linked?.[name as keyof sessions.StoredSession] ?? null) === null
  return Object.fromEntries(
    Object.entries(said).filter(([name, value]) => value !== undefined && isNew(name)),
  )
}

/** Whom the token names is the buyer of the session, and is stored with the first card if there is no such buyer yet. */
function buyerOf({ buyer, buyer_external_identifier }: OpenCheckoutPage): OpenCheckoutPage['buyer'] {
  if (!buyer_external_identifier) return buyer
  return { ...buyer, external_identifier: buyer_external_identifier }
}

function settingsOf(body: OpenCheckoutPage): pages.PageSettings {
  const { locale, return_url, store, ask_security_code, required_fields, external_identifier } = body
  const { buyer_id, shipping_details_id, connection_options } = body
  const { statement_descriptor, installment_count, approval_expires_at } = body
  const settings = { locale, return_url, store, ask_security_code, required_fields, external_identifier }
  const terms = {
    buyer_id,
    shipping_details_id,
    connection_options,
    statement_descriptor,
    installment_count,
    approval_expires_at,
  }
  return {
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
    allowed_origins: [...body.allowed_origins],
    terms: JSON.parse(JSON.stringify(terms)),
  }
}
