/** What the shop does with money. The browser says which order; all amounts come from here. */

export const GOODS = { id: 'canvas-bag', name: 'Canvas bag', price: 1299, currency: 'USD', country: 'US' }
const MOST = 9

/** What a payment's status means to the shop. A status that is not listed means that it is not decided yet. */
const STATES = {
  buyer_approval_pending: 'approval',
  authorization_succeeded: 'paid',
  capture_pending: 'paid',
  capture_succeeded: 'paid',
  authorization_declined: 'declined',
  authorization_failed: 'declined',
  authorization_voided: 'voided',
}

/** Whether the buyer may enter a card. */
export function isOpen(state) {
  return state === 'open' || state === 'declined'
}

/** Whether the payment server refused the request, so that no money moved. Any other error leaves that open. */
function isRefusal(error) {
  return [400, 401, 403, 404].includes(error.status)
}

export function openCounter({ server, orders, shopUrl }) {
  /** Writes the order down, and opens a checkout session for its card. */
  async function order(quantity) {
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > MOST) return undefined
    const amount = quantity * GOODS.price
    const session = await server.send('POST', '/checkout/sessions', {
      amount,
      currency: GOODS.currency,
      country: GOODS.country,
      cart_items: [{ name: GOODS.name, quantity, unit_amount: GOODS.price }],
    })
    return orders.add({ quantity, amount, currency: GOODS.currency, session: session.id })
  }

  /** Pays with the card that the browser has entered in the session. */
  function pay({ id, state }) {
    if (!isOpen(state)) return look(id)
    // First the shop writes down that it asks. If it dies now, it asks again with the same key when the buyer returns.
    orders.change(id, { state: 'waiting', transaction: null })
    return askForMoney(id)
  }

  /**
   * Each try has its key. If the answer is lost, or the buyer clicks twice, the same request is sent again and the card
   * is charged once.
   */
  async function askForMoney(id) {
    const { amount, currency, session, tries } = orders.find(id)
    const redirect_url = new URL(`/orders/${id}/back`, shopUrl).href
    const request = {
      amount,
      currency,
      intent: 'capture',
      external_identifier: id,
      payment_method: { method: 'checkout-session', id: session, redirect_url },
    }
    try {
      return note(id, await server.send('POST', '/transactions', request, `order-${id}-${tries}`))
    } catch (error) {
      if (isRefusal(error)) orders.change(id, { state: 'open' })
      throw error
    }
  }

  /** Asks the payment server how the payment stands: the shop does not know better. */
  async function look(id) {
    const { transaction, state } = orders.find(id)
    if (transaction) return note(id, await server.send('GET', `/transactions/${transaction}`))
    return state === 'waiting' ? askForMoney(id) : orders.find(id)
  }

  function note(id, payment) {
    const { state: before, tries } = orders.find(id)
    const state = STATES[payment.status] ?? 'waiting'
    return orders.change(id, {
      transaction: payment.id,
      state,
      refunded: payment.refunded_amount,
      approvalUrl: payment.payment_method?.approval_url ?? null,
      // After a decline the buyer may try another card: that is another request, with another key.
      ...(state === 'declined' && before !== 'declined' && { tries: tries + 1 }),
    })
  }

  /** Gives all of the money back. */
  async function refund({ id, transaction, amount }) {
    await server.send('POST', `/transactions/${transaction}/refunds`, { amount }, `refund-${id}`)
    return look(id)
  }

  /** A webhook says that a payment changed. The shop asks what it is now, so the order of webhooks does not matter. */
  async function hear(event) {
    const { type, id, transaction_id } = event.target ?? {}
    const payment = { transaction: id, refund: transaction_id }[type]
    const order = payment && orders.findByPayment(payment)
    if (order) await look(order.id)
  }

  return { order, pay, look, refund, hear }
}
