import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from 'playwright-core'
import { AREA_SCENES } from './area-scenes.ts'
import { DASHBOARD_SCENES } from './dashboard-scenes.ts'
import { DEVELOPER_SCENES, DOOR_SCENES } from './developer-scenes.ts'
import { ROUTING_SCENES } from './routing-scenes.ts'
import type { Json, Scene, Shop } from './scene.ts'

const CHALLENGED = '4111111111102011'
const CO_BADGED = '4035501000000008'
const ORDER = {
  currency: 'EUR',
  country: 'DE',
  cart_items: [
    { name: 'Canvas bag', quantity: 2, unit_amount: 2590 },
    { name: 'Enamel mug', quantity: 1, unit_amount: 2460 },
    { name: 'Delivery', quantity: 1, unit_amount: 490 },
  ],
}
const TOTAL = 8130

export const SCENES: Readonly<Record<string, Scene>> = {
  pay: async (page, shop) => {
    await page.goto(await openPage(shop))
    await page.locator('form').waitFor()
  },
  'pay-typed': async (page, shop) => {
    await page.goto(await openPage(shop))
    await type(page, CO_BADGED)
  },
  'pay-stored': async (page, shop) => {
    await page.goto(await openPage(shop, {}, await buyerWithCards(shop)))
    await page.getByText('Use a gift card').click()
  },
  'pay-wrong': async (page, shop) => {
    await page.goto(await openPage(shop))
    await type(page, '4111111111111112')
    await page.locator('button.pay').click()
    await page.locator('.wrong').first().waitFor()
  },
  'pay-declined': async (page, shop) => {
    await page.goto(await openPage(shop, {}, { amount: 200_011, cart_items: [] }))
    await type(page)
    await page.locator('button.pay').click()
    await page.locator('.alert').waitFor()
  },
  'pay-challenge': async (page, shop) => {
    await page.goto(await openPage(shop))
    await type(page, CHALLENGED)
    await page.locator('button.pay').click()
    await page.frameLocator('.challenge iframe').getByRole('button').first().waitFor()
  },
  'pay-paid': async (page, shop) => {
    await page.goto(await openPage(shop))
    await type(page)
    await page.locator('button.pay').click()
    await page.locator('.notice.good').waitFor()
  },
  'pay-waiting': async (page, shop) => {
    await page.goto(await openPage(shop, {}, { amount: 600_002, cart_items: [] }))
    await type(page)
    await page.locator('button.pay').click()
    await page.locator('.notice.wait').waitFor()
  },
  'pay-arabic': async (page, shop) => {
    await page.goto(await openPage(shop, { locale: 'ar' }))
    await page.locator('form').waitFor()
  },
  'pay-unknown': async (page, { url }) => {
    await page.goto(`${url}/pay/default/x`)
    await page.locator('.notice').waitFor()
  },
  link: async (page, { send }) => {
    const merchant_message = 'Thank you for your order. We send it within two days.'
    const { url } = await send('POST /payment-links', { amount: TOTAL, ...ORDER, merchant_message })
    await page.goto(url)
    await page.locator('form').waitFor()
  },
  'drop-in': async (page, shop) => {
    const origin = await openShopPage(page, SHOP_PAGE)
    const url = await openPage(shop, { allowed_origins: [origin] })
    await runIn(
      page,
      `import { checkout } from '${new URL(url).origin}/embed.js'
      checkout({ url: '${url}', place: '#place' }).addEventListener('ready', () => { document.body.dataset.ready = 'yes' })`,
    )
    await page.locator('body[data-ready]').waitFor()
    await type(page.frameLocator('#place iframe'))
  },
  'card-fields': async (page, { url, send }) => {
    await openShopPage(page, FIELDS_PAGE)
    const { id } = await send('POST /checkout/sessions', { amount: TOTAL, ...ORDER })
    await runIn(
      page,
      `import { cardForm } from '${url}/fields.js'
      const form = cardForm({ session: '${id}' })
      for (const name of ['number', 'expiryDate', 'securityCode']) form.mount(name, '#' + name)`,
    )
    const field = (name: string) => page.frameLocator(`#${name} iframe`).locator('#field')
    await field('number').pressSequentially(CO_BADGED)
    await field('expiryDate').pressSequentially('1240')
    await field('securityCode').pressSequentially('737')
  },
  approval: async (page, { send }) => {
    const redirect_url = 'https://shop.example.com/back'
    const card = {
      method: 'card',
      number: CHALLENGED,
      expiration_date: '12/40',
      security_code: '737',
      redirect_url,
    }
    const paid = await send('POST /transactions', {
      amount: TOTAL,
      currency: 'EUR',
      country: 'DE',
      payment_method: card,
    })
    await page.goto(paid.payment_method.approval_url)
  },
  'approval-code': (page, shop) => openMethod(page, shop, 'pix'),
  'approval-number': (page, shop) => openMethod(page, shop, 'boleto'),
  'approval-app': (page, shop) => openMethod(page, shop, 'mbway'),
  wallet: async (page, shop) => {
    const redirect_url = 'https://shop.example.com/back'
    const method = { method: 'paypal', country: 'DE', currency: 'EUR', redirect_url }
    await addService(shop, 'paypal')
    const paid = await shop.send('POST /transactions', {
      amount: TOTAL,
      currency: 'EUR',
      country: 'DE',
      payment_method: method,
    })
    await page.goto(paid.payment_method.approval_url)
  },
  'stored-method': async (page, shop) => {
    const redirect_url = 'data:application/json;base64,e30='
    await addService(shop, 'paypal')
    const { id: buyer_id } = await shop.send('POST /buyers', {})
    const method = { method: 'paypal', country: 'DE', currency: 'EUR', redirect_url, buyer_id }
    const { approval_url } = await shop.send('POST /payment-methods', method)
    await page.goto(approval_url)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'Stored' }).waitFor()
  },
  'gift-card': async (page, shop) => {
    await page.goto(await issueGiftCard(shop))
    await page.getByRole('button').click()
    await page.getByText('PIN', { exact: true }).waitFor()
  },
  docs: async (page, { url }) => {
    await page.goto(`${url}/docs`)
  },
  guide: async (page, { url }) => {
    await page.goto(`${url}/docs/guide/take-a-card`)
  },
  ...DOOR_SCENES,
  ...DASHBOARD_SCENES,
  ...ROUTING_SCENES,
  ...AREA_SCENES,
  ...DEVELOPER_SCENES,
}

export type Shot = { readonly width: number; readonly height: number; readonly scheme: 'light' | 'dark' }

const PHONE = { width: 390, height: 844 }

/** The pictures of the guides: few, and each shows something of its own. */
export const DOCUMENTED: readonly [string, Shot[]][] = [
  ['pay', [{ width: 1280, height: 760, scheme: 'light' }]],
  ['pay-stored', [{ ...PHONE, scheme: 'dark' }]],
  ['pay-challenge', [{ ...PHONE, scheme: 'light' }]],
  ['pay-paid', [{ ...PHONE, scheme: 'light' }]],
  ['pay-arabic', [{ ...PHONE, scheme: 'light' }]],
  ['drop-in', [{ width: 768, height: 720, scheme: 'light' }]],
  ['card-fields', [{ width: 768, height: 420, scheme: 'light' }]],
  ['home', [{ width: 1280, height: 860, scheme: 'light' }]],
  ['dashboard', [{ width: 1280, height: 720, scheme: 'light' }]],
  ['dashboard-payment', [{ width: 1280, height: 800, scheme: 'light' }]],
  ['insights', [{ width: 1280, height: 980, scheme: 'light' }]],
  ['routing', [{ width: 1280, height: 980, scheme: 'light' }]],
  ['dashboard-delivery', [{ width: 1280, height: 860, scheme: 'light' }]],
  ['dashboard-sandbox', [{ width: 1280, height: 740, scheme: 'light' }]],
]

/** The address of a page on which a buyer pays. */
async function openPage({ send }: Shop, settings: object = {}, order: object = {}): Promise<string> {
  const { id } = await send('POST /checkout/sessions', { amount: TOTAL, ...ORDER, ...order })
  return (await send(`PUT /checkout/sessions/${id}/page`, settings)).url
}

async function type(page: Page | FrameLocator, number = '4111111111111111'): Promise<void> {
  await page.locator('[name=number]').pressSequentially(number)
  await page.locator('[name=expiry]').pressSequentially('1240')
  await page.locator('[name=code]').pressSequentially('737')
}

let buyers = 0

async function buyerWithCards({ send }: Shop): Promise<object> {
  buyers += 1
  const external_identifier = `buyer-${Date.now()}-${buyers}`
  const { id: buyer_id } = await send('POST /buyers', { external_identifier })
  for (const number of ['4111111111111111', '5555555555554444'])
    await send('POST /payment-methods', { method: 'card', number, expiration_date: '12/40', buyer_id })
  return { buyer: { external_identifier } }
}

async function openMethod(page: Page, shop: Shop, method: string): Promise<void> {
  await addService(shop, method)
  const paid = await shop.send('POST /transactions', {
    amount: TOTAL,
    currency: 'EUR',
    country: 'DE',
    intent: 'capture',
    payment_method: { method, country: 'DE', currency: 'EUR', redirect_url: 'https://shop.example.com/back' },
  })
  await page.goto(paid.payment_method.approval_url)
}

/** A simulated method that is approved elsewhere. It is made once. */
async function addService({ send }: Shop, method: string): Promise<void> {
  const definition = `mock-${method}`
  const { items } = await send('GET /payment-services')
  if (items.some((one: Json) => one.payment_service_definition_id === definition)) return
  await send('POST /payment-services', {
    display_name: definition,
    payment_service_definition_id: definition,
    fields: [{ key: 'merchant_id', value: 'Fjord & Pine' }],
    accepted_currencies: ['EUR'],
    accepted_countries: ['DE'],
    payment_method_tokenization_enabled: method === 'paypal',
  })
}

async function issueGiftCard(shop: Shop): Promise<string> {
  const services = (await shop.send('GET /gift-card-services')).items
  if (!services.some((one: Json) => one.gift_card_service_definition_id === 'switchyard-gift-card')) {
    for (const { id } of services) await shop.send(`PUT /gift-card-services/${id}`, { active: false })
    await shop.send('POST /gift-card-services', {
      display_name: 'Our own cards',
      gift_card_service_definition_id: 'switchyard-gift-card',
      fields: [
        { key: 'program', value: 'Fjord & Pine' },
        { key: 'program_key', value: 'a-key-of-the-pictures' },
      ],
    })
  }
  return (await shop.send('POST /gift-cards/issuances', { theme: 'birthday', amount: 5000, currency: 'EUR' }))
    .url
}

/** Shows a page of a shop, which has a server of its own: browsers let pages of no server load nothing from this machine. */
async function openShopPage(page: Page, html: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  page.on('close', () => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const origin = `http://shop.localhost:${port}`
  await page.goto(origin)
  return origin
}

async function runIn(page: Page, content: string): Promise<void> {
  await page.addScriptTag({ type: 'module', content })
}

const STYLE = `:root { color-scheme: light dark } body { margin: 0; font: 16px/1.5 system-ui; background: light-dark(#faf7f2, #14120f);
color: light-dark(#2a241c, #f2ece2) } main { max-width: 30rem; margin: 0 auto; padding: 2rem 1rem } h1 { font: 600 1.75rem/1.2 Georgia, serif }
.sum { display: flex; justify-content: space-between; padding: .75rem 0; border-block: 1px solid light-dark(#e4dccd, #383229); margin-bottom: 1.5rem }
label { display: grid; gap: .25rem; margin-bottom: 1rem } .two { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
.field { height: 46px; border: 1px solid light-dark(#8f8470, #80775f); border-radius: 8px; padding: 0 14px; background: light-dark(#fff, #1d1a16) }
button { font: inherit; font-weight: 600; width: 100%; padding: .75rem; border: 0; border-radius: 8px; background: light-dark(#7a3b1d, #e0a07d);
color: light-dark(#fff, #2a1206) }`
const pageOf = (content: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main><h1>Fjord &amp; Pine</h1>
<p class="sum"><span>Your order</span><strong>€81.30</strong></p>${content}</main></body></html>`
const SHOP_PAGE = pageOf('<div id="place"></div>')
const FIELDS_PAGE = pageOf(`<label>Card number<div class="field" id="number"></div></label><div class="two">
<label>Expiry date<div class="field" id="expiryDate"></div></label><label>Security code<div class="field" id="securityCode"></div></label></div>
<button>Pay €81.30</button>`)
