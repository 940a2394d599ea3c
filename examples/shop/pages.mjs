import { GOODS } from './pay.mjs'

/** The pages of the shop. Every text that is put in goes through `html`, which escapes it. */

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

class Html {
  constructor(text) {
    this.text = text
  }
}

function html(parts, ...values) {
  const show = (value) => {
    if (value instanceof Html) return value.text
    if (Array.isArray(value)) return value.map(show).join('')
    return String(value ?? '').replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter])
  }
  return new Html(String.raw({ raw: parts }, ...values.map(show)))
}

const money = (amount, currency) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100)

function page(title, body, scripts = []) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Bags and more</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
${scripts.map((src) => html`<script type="module" src="${src}"></script>`)}
</head>
<body>
<header><a href="/">Bags and more</a></header>
<main>${body}</main>
</body>
</html>`.text
}

export function frontPage() {
  return page(
    GOODS.name,
    html`<h1>${GOODS.name}</h1>
<p>Heavy cotton, two handles, room for a week of bread.</p>
<p class="price">${money(GOODS.price, GOODS.currency)}</p>
<form method="post" action="/orders">
<label for="quantity">How many</label>
<input id="quantity" name="quantity" type="number" min="1" max="9" value="1" required>
<button>Buy</button>
</form>`,
  )
}

function summary({ quantity, amount, currency }) {
  return html`<dl><dt>${quantity} × ${GOODS.name}</dt><dd>${money(amount, currency)}</dd></dl>`
}

export function checkoutPage(order, serverUrl) {
  return page(
    'Pay',
    html`<h1>Pay</h1>
${summary(order)}
<p id="message" role="status">${order.state === 'declined' ? 'Your bank declined this card. Try another one.' : ''}</p>
<form id="pay" data-order="${order.id}" data-session="${order.session}" data-server="${serverUrl}">
<span class="label">Card number</span><div class="field" id="number"></div>
<div class="row">
<div><span class="label">Expiry date</span><div class="field" id="expiry"></div></div>
<div><span class="label">Security code</span><div class="field" id="code"></div></div>
</div>
<button disabled>Pay ${money(order.amount, order.currency)}</button>
</form>
<noscript>Paying by card needs JavaScript.</noscript>`,
    ['/checkout.js'],
  )
}

const WORDS = {
  paid: ['Thank you!', 'Your bag is on its way.'],
  waiting: [
    'One moment',
    'Your bank has not answered yet. Do not pay again: this page tells you when it has.',
  ],
  approval: ['One moment', 'Your bank asks you to approve this payment.'],
  voided: ['Canceled', 'This payment was canceled. You were not charged.'],
}

export function orderPage(order) {
  const isRefunded = order.refunded > 0
  const [title, text] = isRefunded
    ? ['Refunded', `We gave you ${money(order.refunded, order.currency)} back.`]
    : WORDS[order.state]
  return page(
    title,
    html`<h1>${title}</h1>
${summary(order)}
<p role="status">${text}</p>
${order.state === 'approval' ? html`<p><a class="button" href="${order.approvalUrl}">Approve</a></p>` : ''}
<p class="small">Order ${order.id}</p>
<div id="order" data-order="${order.id}" data-state="${order.state}"></div>`,
    ['/order.js'],
  )
}

export function staffPage(orders) {
  const row = ({ id, quantity, amount, currency, state, refunded }) => html`<tr>
<td><a href="/orders/${id}">${id}</a></td><td>${quantity}</td><td>${money(amount, currency)}</td>
<td>${refunded > 0 ? 'refunded' : state}</td>
<td>${
    state === 'paid' && refunded === 0
      ? html`<form method="post" action="/staff/${id}/refund"><button>Refund ${money(amount, currency)}</button></form>`
      : ''
  }</td></tr>`
  return page(
    'Orders',
    html`<h1>Orders</h1>
${
  orders.length === 0
    ? html`<p>There are no orders yet.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Orders"><table><thead><tr><th>Order</th><th>Bags</th><th>Amount</th><th>State</th><th>Refund</th></tr></thead>
<tbody>${orders.map(row)}</tbody></table></div>`
}`,
  )
}

export function messagePage(title, text) {
  return page(title, html`<h1>${title}</h1><p><a href="/">${text}</a></p>`)
}
