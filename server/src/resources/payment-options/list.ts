import type { Connector } from '#connectors/contract/connector.ts'
import { describeMethod } from '#domain/payment-method.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Registries } from '#processing/connectors.ts'
import { evaluate } from '#resources/flows/compile-rules.ts'
import type { Facts } from '#resources/flows/conditions/facts.ts'
import { rulesOf } from '#resources/flows/current.ts'
import * as flows from '#resources/flows/store.ts'
import { listWalletOptions } from './list-wallets.ts'
import type { PaymentOption, PaymentOptionRequest, PaymentOptions } from './schemas.ts'

export type Needs = { readonly connectors: Registries['connectors']; readonly publicUrl: string }

type Service = Awaited<ReturnType<typeof listActiveServices>>[number]

/** The buyer's options: each method once, in the order of the first service that takes it, then wallets. Rules may hide or reorder them. */
export async function listPaymentOptions(
  scope: Scope,
  once: Once,
  { connectors, publicUrl }: Needs,
  request: PaymentOptionRequest,
): Promise<Finished<PaymentOptions>> {
  const shown = await findShown(scope, request)
  return inFinalTransaction(scope, once, async (tx) => {
    const services = await listActiveServices(tx)
    const able = services.flatMap((service) => {
      const connector = connectors.find(service.payment_service_definition_id)
      return connector && takes(service, connector, request) ? [{ service, connector }] : []
    })
    const byMethod = Map.groupBy(able, ({ connector }) => connector.manifest.method)
    const ofServices = [...byMethod.values()].map((sharing) => toOption(sharing, publicUrl))
    const ableConnectors = able.map(({ connector }) => connector)
    return { items: shown([...ofServices, ...(await listWalletOptions(tx, ableConnectors, publicUrl))]) }
  })
}

/** Unknown facts about the payment exclude nothing. */
function takes(service: Service, connector: Connector, request: PaymentOptionRequest): boolean {
  const { currency, country, amount } = request
  if (!connector.authorize) return false
  if (currency && !service.accepted_currencies.includes(currency)) return false
  if (country && !service.accepted_countries.includes(country)) return false
  return amount !== 0 || connector.manifest.capabilities.zeroAuthorization
}

type Able = { readonly service: Service; readonly connector: Connector }

/** A method with the features that all its services have. */
function toOption(able: readonly Able[], publicUrl: string): PaymentOption {
  const [first] = able
  if (!first) throw new Error('a payment option has no connector')
  const { method, mode, displayName } = first.connector.manifest
  const known = describeMethod(method)
  return {
    type: 'payment-option',
    method,
    mode,
    label: known?.name ?? displayName,
    icon_url: known ? `${publicUrl}/assets/payment-methods/${method}.svg` : null,
    // Our vault keeps cards and bank accounts, whichever provider charges them. Other methods are kept by their provider.
    can_store_payment_method: mode !== 'redirect' || able.every(canStore),
    can_delay_capture: able.every(({ connector }) => connector.capture !== undefined),
    context: mode === 'redirect' ? { ...APPROVED_ELSEWHERE, required_fields: fieldsOf(able) } : null,
  }
}

/** Whichever of the services takes the payment. */
function fieldsOf(able: readonly Able[]): Record<string, true> | null {
  const names = able.flatMap(({ connector }) => connector.manifest.buyerFields ?? [])
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, true]))
}

function canStore({ service, connector }: Able): boolean {
  return service.payment_method_tokenization_enabled && connector.tokenize !== undefined
}

const APPROVED_ELSEWHERE = {
  approval_ui: null,
  redirect_requires_popup: false,
  requires_tokenized_redirect_popup: false,
}

/** A rule of the checkout shows the options that it names, in its order. Without a rule, all are shown. */
async function findShown(
  scope: Scope,
  request: PaymentOptionRequest,
): Promise<(options: readonly PaymentOption[]) => PaymentOption[]> {
  const rules = await rulesOf(scope, await flows.newestNumber(scope))
  const place = { flow: 'checkout', action: 'select-payment-options' } as const
  const outcome = rules && evaluate(rules, place, factsOf(scope, request)).rule?.outcome
  if (outcome?.type !== 'list') return (options) => [...options]
  return (options) => outcome.result.flatMap((method) => options.filter((option) => option.method === method))
}

/** A checkout knows little about the payment yet. A split needs a payer, so none is met before there is one. */
function factsOf({ clock }: Scope, request: PaymentOptionRequest): Facts {
  return {
    amount: request.amount ?? null,
    currency: request.currency ?? null,
    country: request.country ?? null,
    payment_method: null,
    payment_source: null,
    merchant_initiated: false,
    is_subsequent_payment: null,
    has_gift_cards: null,
    gift_card_bins: [],
    metadata: request.metadata ?? {},
    cart_items: request.cart_items ?? [],
    browser_language: request.locale.slice(0, 2).toLowerCase(),
    anti_fraud_decision: null,
    card: null,
    installment_count: null,
    at: clock(),
    shareOf: () => null,
  }
}

/** The services that payments can go to, of any method, in the order in which they are tried. */
function listActiveServices({ db, merchantAccountId }: Scope) {
  return db
    .selectFrom('payment_services')
    .select([
      'payment_service_definition_id',
      'accepted_currencies',
      'accepted_countries',
      'payment_method_tokenization_enabled',
    ])
    .where('merchant_account_id', '=', merchantAccountId)
    .where('active', '=', true)
    .where('status', '=', 'created')
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
