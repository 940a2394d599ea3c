// Answers each request with one payment of Medusa's payment module: a collection, a session, and its authorization by the
// module's own provider, which approves everything. It runs from the folder of the peers, so that their packages are no
// dependencies of this project.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const [folder, databaseUrl, port] = process.argv.slice(2)
const require = createRequire(`${folder}/package.json`)
const framework = (part) => require(`@medusajs/framework/${part}`)
const { MedusaApp, MedusaAppMigrateUp } = framework('modules-sdk')
const { ContainerRegistrationKeys, Modules, ModulesSdkUtils } = framework('utils')

const nothing = () => {}
const logger = { info: nothing, warn: nothing, error: nothing, debug: nothing, log: nothing }
const database = { clientUrl: databaseUrl, driverOptions: { connection: { ssl: false } } }
const connection = ModulesSdkUtils.createPgConnection({
  ...database,
  schema: 'public',
  pool: { min: 2, max: 20 },
})
/** A new object for each call: Medusa changes what it gets. */
const options = () => ({
  modulesConfig: { [Modules.PAYMENT]: { resolve: '@medusajs/payment', options: { database } } },
  sharedResourcesConfig: { database },
  injectedDependencies: { [ContainerRegistrationKeys.PG_CONNECTION]: connection, logger },
  cwd: folder,
})
await MedusaAppMigrateUp(options())
const { modules } = await MedusaApp(options())
const payments = modules[Modules.PAYMENT]

async function pay({ amount, currency }) {
  const money = { amount: amount / 100, currency_code: currency.toLowerCase() }
  const collection = await payments.createPaymentCollections(money)
  const details = { ...money, provider_id: 'pp_system_default', data: {}, context: {} }
  const session = await payments.createPaymentSession(collection.id, details)
  return payments.authorizePaymentSession(session.id, {})
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const payment = await pay(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(payment))
  } catch (error) {
    process.stderr.write(`${error.stack}\n`)
    response.writeHead(500).end()
  }
}).listen(Number(port), '127.0.0.1')
