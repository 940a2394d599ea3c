import { randomInt } from 'node:crypto'
import { checkCard, type Json, objectOf, textOf } from './check-request.ts'
import type { Asked, Desk } from './desk.ts'
import { type Reply, ServiceError } from './errors.ts'
import type { StoredCard } from './state.ts'

const MODELS = ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile']

/** POST /storedPaymentMethods. The card is kept under its shopper, without a payment. */
export function store(desk: Desk, { body, key }: Asked): Reply {
  const shopperReference = textOf(body['shopperReference'])
  const card = objectOf(body['paymentMethod'])
  if (shopperReference.length < 3) {
    throw new ServiceError(422, '702', "Required field 'shopperReference' is not provided.")
  }
  if (!MODELS.includes(textOf(body['recurringProcessingModel']))) {
    throw new ServiceError(422, '702', 'The field recurringProcessingModel has an unknown value')
  }
  checkCard(card, desk.now())
  const id = newTokenId()
  const { cvc: _neverKept, ...kept } = card
  desk.state.tokens.set(id, { id, shopperReference, card: kept })
  desk.state.noteToken('STORE', { id, shopperReference, key })
  const { expiryMonth, expiryYear, number } = card
  const lastFour = textOf(number).slice(-4)
  return { status: 201, body: { id, shopperReference, type: 'scheme', lastFour, expiryMonth, expiryYear } }
}

/** DELETE /storedPaymentMethods/{id}. */
export function remove(desk: Desk, id: string, { body, key }: Asked): Reply {
  const { shopperReference } = findStored(desk, id, textOf(body['shopperReference']))
  desk.state.tokens.delete(id)
  desk.state.noteToken('DELETE', { id, shopperReference, key })
  return { status: 204, body: {} }
}

/** The card behind a token, with what came with it. Other methods are as they were sent. */
export function openStored(desk: Desk, body: Json): Json {
  const method = objectOf(body['paymentMethod'])
  const id = textOf(method['storedPaymentMethodId'])
  if (id === '') return body
  const { card } = findStored(desk, id, textOf(body['shopperReference']))
  return { ...body, paymentMethod: { ...card, ...method } }
}

/** A token is worth nothing with another shopper. */
function findStored({ state }: Desk, id: string, shopperReference: string): StoredCard {
  const found = state.tokens.get(id)
  if (found?.shopperReference === shopperReference) return found
  const hasOthers = [...state.tokens.values()].some((one) => one.shopperReference === shopperReference)
  if (!hasOthers) throw new ServiceError(422, '800', 'Contract not found')
  throw new ServiceError(422, '803', 'PaymentDetail not found')
}

const LETTERS = '23456789BCDFGHJKLMNPQRSTVWXZ'

/** 16 characters, as in the example of the API. */
function newTokenId(): string {
  return Array.from({ length: 16 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}
