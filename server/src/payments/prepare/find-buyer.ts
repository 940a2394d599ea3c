import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { completeAddress, completeBillingDetails } from '#resources/buyers/details.ts'
import { findNamedBuyer } from '#resources/buyers/find-named.ts'
import type { Buyer, NewAddress, NewBillingDetails } from '#resources/buyers/schemas.ts'
import * as shippingDetails from '#resources/buyers/shipping-details/store.ts'
import * as buyers from '#resources/buyers/store.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import type { NewGuestBuyer } from '#resources/transactions/wire/order.ts'
import type { BuyerSnapshot, ShippingSnapshot } from '../document.ts'
import type { Keep } from '../store/cards.ts'
import type { Order } from './order.ts'
import type { Owns, Payer } from './payer.ts'

export type FoundBuyer = { readonly buyer: BuyerSnapshot | null; readonly shipping: ShippingSnapshot | null }

/** What a buyer has entered on the page. Nothing of it changes the stored buyer. */
export type EnteredContact = {
  readonly billing: NewBillingDetails
  readonly shippingAddress: NewAddress | null
}

type Named = {
  readonly buyer_id?: string | null | undefined
  readonly buyer_external_identifier?: string | null | undefined
}

type BuyerNames = Pick<Order, 'buyer_id' | 'buyer_external_identifier' | 'guest' | 'shipping_details_id'>
type Method = Pick<Payer, 'source' | 'session'> | null

/** Who pays, at this moment: the buyer that the request names, the owner of the stored method, or a guest. */
export async function findBuyer(
  scope: Scope,
  order: BuyerNames,
  payer: Method,
  owns: Owns,
): Promise<FoundBuyer> {
  const { guest } = order
  const named = await findOwn(scope, order, owns, '')
  const owner = named ?? (await findOwner(scope, payer))
  refuseOthersMethod(payer, named)
  const stored = await findShipping(scope, order, owner)
  const buyer = owner ? snapshotOf(owner) : guest && guestSnapshot(guest)
  const shipping = stored ?? (owner || !guest ? null : guestShipping(guest))
  return { buyer: withPostalCode(buyer, payer?.session?.postal_code ?? null), shipping }
}

/** The buyer and the external identifier under which the card is to be stored. Null: it is not stored. */
export async function findKeep(
  scope: Scope,
  { store, method }: Order,
  paying: BuyerSnapshot | null,
  owns: Owns,
): Promise<Keep | null> {
  if (!store || !method) return null
  const { body } = method
  const named = 'buyer_id' in body || 'buyer_external_identifier' in body ? body : {}
  const externalIdentifier = 'external_identifier' in body ? (body.external_identifier ?? null) : null
  await refuseTaken(scope, externalIdentifier, owns)
  return { buyerId: await findKeeper(scope, named, paying, owns), externalIdentifier }
}

/**
 * Refuses an external identifier that another card has, before any money moves. If it is taken later, the
 * payment still stands. A page learns that it is taken, but not the id of another buyer's card.
 */
async function refuseTaken(scope: Scope, externalIdentifier: string | null, owns: Owns): Promise<void> {
  if (externalIdentifier === null) return
  const twin = await paymentMethods.findByExternalIdentifier(scope, externalIdentifier)
  if (twin === undefined) return
  const isShown = owns((await paymentMethods.find(scope, twin))?.buyer_id ?? null)
  const message = 'use another reference, or pay with the payment method that has this one'
  throw errors.duplicate(
    isShown ? twin : undefined,
    inBody('/payment_method/external_identifier', 'value_error.duplicate', message),
  )
}

/** The buyer for whom a card is stored: the one that the method names, or the one who pays. */
async function findKeeper(
  scope: Scope,
  named: Named,
  paying: BuyerSnapshot | null,
  owns: Owns,
): Promise<string | null> {
  const keeper = await findOwn(scope, named, owns, '/payment_method')
  if (keeper && paying?.id && keeper.id !== paying.id) {
    const pointer = pointerTo(named, '/payment_method')
    throw errors.invalid(inBody(pointer, 'value_error.conflict', 'is not the buyer of the payment'))
  }
  return keeper?.id ?? paying?.id ?? null
}

/** A page finds only its own buyer. Otherwise it could look up other buyers' addresses. */
async function findOwn(scope: Scope, named: Named, owns: Owns, at: string): Promise<Buyer | undefined> {
  const buyer = await findNamedBuyer(scope, named, 'body', at)
  if (!buyer || owns(buyer.id)) return buyer
  throw errors.invalid(inBody(pointerTo(named, at), 'value_error.not_found', 'there is no such buyer'))
}

function pointerTo({ buyer_id }: Named, at: string): string {
  return buyer_id ? `${at}/buyer_id` : `${at}/buyer_external_identifier`
}

async function findOwner(scope: Scope, payer: Method): Promise<Buyer | undefined> {
  const ownerId = payer?.source.kind === 'stored' ? payer.source.method.buyer_id : null
  return ownerId === null ? undefined : buyers.find(scope, ownerId)
}

function refuseOthersMethod(payer: Method, named: Buyer | undefined): void {
  const source = payer?.source
  if (source?.kind !== 'stored' || !named || source.method.buyer_id === null) return
  if (source.method.buyer_id === named.id) return
  throw errors.invalid(
    inBody('/payment_method/id', 'value_error.conflict', 'the payment method belongs to another buyer'),
  )
}

async function findShipping(
  scope: Scope,
  { shipping_details_id: id }: BuyerNames,
  owner: Buyer | undefined,
): Promise<ShippingSnapshot | null> {
  if (!id) return null
  const found = owner && (await shippingDetails.find(scope, { buyer_id: owner.id, id }))
  if (!found) {
    const message = 'the buyer of the payment has no such shipping details'
    throw errors.invalid(inBody('/shipping_details_id', 'value_error.not_found', message))
  }
  const { first_name, last_name, email_address, phone_number, address, buyer_id } = found
  return { id, buyer_id, first_name, last_name, email_address, phone_number, address }
}

function snapshotOf(buyer: Buyer): BuyerSnapshot {
  const { id, display_name, external_identifier, account_number, billing_details } = buyer
  return { id, display_name, external_identifier, account_number, billing_details }
}

function guestSnapshot(guest: NewGuestBuyer): BuyerSnapshot {
  return {
    id: null,
    display_name: guest.display_name ?? null,
    external_identifier: guest.external_identifier ?? null,
    account_number: guest.account_number ?? null,
    billing_details: guest.billing_details ? completeBillingDetails(guest.billing_details) : null,
  }
}

/** The issuer compares the postal code that the buyer entered with the card. */
function withPostalCode(buyer: BuyerSnapshot | null, postal_code: string | null): BuyerSnapshot | null {
  if (postal_code === null) return buyer
  const known = buyer ?? guestSnapshot({})
  const billing = known.billing_details ?? completeBillingDetails({})
  const address = { ...(billing.address ?? completeAddress({})), postal_code }
  return { ...known, billing_details: { ...billing, address } }
}

/** The buyer of the payment, with what was entered. A delivery goes to the same person, unless the order names one. */
export function withEntered(
  { buyer, shipping }: FoundBuyer,
  { billing, shippingAddress }: EnteredContact,
): FoundBuyer {
  const known = buyer ?? guestSnapshot({})
  const details = completeBillingDetails({ ...known.billing_details, ...billing })
  const { first_name, last_name, email_address, phone_number } = details
  const person = { id: null, buyer_id: null, first_name, last_name, email_address, phone_number }
  return {
    buyer: Object.keys(billing).length > 0 ? { ...known, billing_details: details } : buyer,
    shipping: shippingAddress
      ? { ...(shipping ?? person), address: completeAddress(shippingAddress) }
      : shipping,
  }
}

function guestShipping({ shipping_details: given }: NewGuestBuyer): ShippingSnapshot | null {
  if (!given) return null
  return {
    id: null,
    buyer_id: null,
    first_name: given.first_name ?? null,
    last_name: given.last_name ?? null,
    email_address: given.email_address ?? null,
    phone_number: given.phone_number ?? null,
    address: given.address ? completeAddress(given.address as NewAddress) : null,
  }
}
