import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openShop } from './serve.mjs'

/** Runs the example shop. README.md says how to get what it asks for. */

function setting(name, example) {
  const value = process.env[name]
  if (value) return value
  console.error(`Set ${name}, for example ${name}=${example}. examples/shop/README.md says how.`)
  process.exit(1)
}

const port = Number(process.env.PORT ?? 4242)
const staffPassword = process.env.STAFF_PASSWORD ?? randomBytes(9).toString('base64url')
const shop = openShop({
  url: `http://localhost:${port}`,
  serverUrl: setting('SWITCHYARD_URL', 'http://localhost:3000'),
  key: readFileSync(setting('SWITCHYARD_KEY', '.data/example-shop.pem'), 'utf8'),
  webhookSecret: setting('WEBHOOK_SECRET', '"$(cat .data/example-shop.secret)"'),
  ordersFile: process.env.ORDERS ?? '.data/example-shop-orders.json',
  staffPassword,
})
shop.on('error', (error) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${port} is busy: set PORT to another.` : error)
  process.exit(1)
})
shop.listen(port, 'localhost', () => {
  console.log(`The shop      http://localhost:${port}`)
  console.log(`Its staff     http://localhost:${port}/staff   user "staff", password "${staffPassword}"`)
})
