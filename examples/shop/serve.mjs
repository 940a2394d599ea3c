import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { openOrders } from './orders.mjs'
import { checkoutPage, frontPage, messagePage, orderPage, staffPage } from './pages.mjs'
import { isOpen, openCounter } from './pay.mjs'
import { ApiError, connectTo, isFromServer } from './switchyard.mjs'

/** The shop's own web server: which request does what. */

const BODY_BYTES = 1_000_000
const FILES = {
  '/shop.css': ['text/css', readFileSync(new URL('pages/shop.css', import.meta.url))],
  '/checkout.js': ['text/javascript', readFileSync(new URL('pages/checkout.js', import.meta.url))],
  '/order.js': ['text/javascript', readFileSync(new URL('pages/order.js', import.meta.url))],
}

const page = (status, html) => ({ status, type: 'text/html; charset=utf-8', body: html })
const go = (location) => ({ status: 303, headers: { location } })
const json = (status, value) => ({ status, type: 'application/json', body: JSON.stringify(value) })
const missing = () => page(404, messagePage('There is no such page.', 'Go back to the shop.'))

export function openShop({ url, serverUrl, key, webhookSecret, ordersFile, staffPassword }) {
  const orders = openOrders(ordersFile)
  const server = connectTo(serverUrl, key)
  const counter = openCounter({ server, orders, shopUrl: url })
  const shop = { orders, counter, webhookSecret, staffPassword, origin: server.url.origin }
  const policy = policyWith(shop.origin)

  return createServer(async (request, response) => {
    const { status, type, body, headers } = await answer(shop, request).catch(explain)
    response.writeHead(status, {
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...(type && { 'content-type': type }),
      ...headers,
    })
    response.end(body)
  })
}

/** Scripts and frames come from us and from the payment server, and from nowhere else. */
function policyWith(origin) {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `frame-src ${origin}`,
    "img-src 'self' data:",
    `script-src 'self' ${origin}/fields.js`,
    "style-src 'self'",
  ].join('; ')
}

async function answer(shop, request) {
  const { method, headers } = request
  const path = pathOf(request.url)
  const route = `${method} ${path}`
  const body = await read(request)
  if (body === undefined) return json(413, { error: 'too large' })
  if (method === 'GET' && FILES[path]) return { status: 200, type: FILES[path][0], body: FILES[path][1] }
  if (route === 'GET /') return page(200, frontPage())
  if (route === 'POST /webhooks') return hearWebhook(shop, headers, body)
  // A form or script of another site must not act in the name of our visitor.
  if (method === 'POST' && !['same-origin', undefined].includes(headers['sec-fetch-site'])) {
    return page(403, messagePage('This request came from another site.', 'Go back to the shop.'))
  }
  if (route === 'POST /orders') return placeOrder(shop, new URLSearchParams(body).get('quantity'))
  const [, area, id, act] = path.split('/')
  if (area === 'staff')
    return isStaff(shop, headers) ? serveStaff(shop, `${method} ${act ?? ''}`, id) : askWho()
  const order = area === 'orders' ? shop.orders.find(id) : undefined
  return order ? serveOrder(shop, `${method} ${act ?? ''}`, order) : missing()
}

async function placeOrder({ counter }, quantity) {
  const order = await counter.order(Number(quantity))
  return order ? go(`/orders/${order.id}`) : page(400, messagePage('Order between 1 and 9 bags.', 'Go back'))
}

async function serveOrder({ counter, origin }, route, { id, ...order }) {
  if (route === 'POST pay') return json(200, publicly(await counter.pay({ id, ...order })))
  if (route === 'GET state') return json(200, publicly(await counter.look(id)))
  // The buyer returns from the bank. Whether the payment succeeded, only the payment server can say.
  if (route === 'GET back') return go(`/orders/${id}`)
  if (route !== 'GET ') return missing()
  const now = await counter.look(id)
  return page(200, isOpen(now.state) ? checkoutPage(now, origin) : orderPage(now))
}

async function serveStaff({ orders, counter }, route, id) {
  if (route === 'GET ' && id === undefined) return page(200, staffPage(orders.list()))
  const order = orders.find(id)
  if (route !== 'POST refund' || !order?.transaction) return missing()
  await counter.refund(order)
  return go('/staff')
}

function isStaff({ staffPassword }, { authorization = '' }) {
  const digest = (text) => createHash('sha256').update(text).digest()
  const expected = `Basic ${Buffer.from(`staff:${staffPassword}`).toString('base64')}`
  return timingSafeEqual(digest(authorization), digest(expected))
}

function askWho() {
  const asking = page(401, messagePage('This page is for our staff.', 'Go back to the shop.'))
  return { ...asking, headers: { 'www-authenticate': 'Basic realm="Staff"' } }
}

async function hearWebhook({ counter, webhookSecret }, headers, body) {
  if (!isFromServer({ headers, body, secret: webhookSecret })) return json(401, { error: 'not signed' })
  await counter.hear(JSON.parse(body))
  return { status: 204 }
}

/** An answer that did not arrive says nothing about the payment: the buyer may send the same request again. */
function explain(error) {
  console.error(error instanceof ApiError ? `${error.status} ${error.code}: ${error.message}` : error)
  return json(502, {
    error: 'We could not reach our payment service. You can try again: you are charged once.',
  })
}

/** What a buyer may know of an order. */
function publicly({ state, approvalUrl }) {
  return { state, approvalUrl: state === 'approval' ? approvalUrl : null }
}

function pathOf(url) {
  return URL.canParse(url, 'http://shop') ? new URL(url, 'http://shop').pathname : ''
}

/** The text of a body, or undefined if there is too much of it. */
async function read(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
