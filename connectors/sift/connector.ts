import {
  type AntiFraudConnector,
  type DecideAnswer,
  type DecideBuyer,
  type DecideOrder,
  type DeviceScript,
  FINGERPRINT,
} from '#connectors/contract/anti-fraud.ts'
import type { Link } from '#connectors/contract/connector.ts'
import { field } from '#connectors/contract/describe.ts'
import type { AccountManifest } from '#connectors/contract/manifest.ts'
import { type Category, CategoryUnknown, categoryOf } from './decisions.ts'
import { readNotification } from './notification.ts'
import { tell } from './tell.ts'
import { apiOf, isRecord, methodOf, namesOf, postEvent, refusalIn, toMicros } from './wire.ts'

const manifest: AccountManifest = {
  id: 'sift-anti-fraud',
  displayName: 'Sift',
  isSimulator: false,
  fields: [
    field('account_id', 'Account ID', {
      isRequired: true,
      pattern: /^[A-Za-z0-9]{8,64}$/,
      help: 'In Sift’s console, under Developer, API Keys.',
    }),
    field('api_key', 'API key', {
      isRequired: true,
      isSecret: true,
      pattern: /^[A-Za-z0-9_-]{8,128}$/,
      help: 'In Sift’s console, under Developer, API Keys: the REST API key.',
    }),
    field('webhook_secret', 'Signature key', {
      isSecret: true,
      help: 'In Sift’s console, under Developer, API Keys: the active signature key. Without it, no result of a review is accepted.',
    }),
    field('beacon_key', 'Beacon key', {
      pattern: /^[A-Za-z0-9]{6,64}$/,
      help: 'In Sift’s console, under Developer, API Keys: the JavaScript key. With it, /f.js loads Sift’s script, which learns about devices.',
    }),
    field('site_country', 'Country of the site', {
      pattern: /^[A-Z]{2}$/,
      help: 'Two letters, such as US. Only for shops in several countries.',
    }),
    field('site_domain', 'Domain of the site', {
      pattern: /^[A-Za-z0-9.-]{1,255}$/,
      help: 'As in shop.example.com. Only for several shops with one account at Sift.',
    }),
    field('stand_in_url', 'Test server URL', {
      isSandboxOnly: true,
      isAddress: true,
      pattern: /^https?:\/\/[^\s/?#@]+\/?$/,
      help: 'Leave it empty to use your account at Sift.',
    }),
  ],
}

/** Sift judges an order by the workflows that the merchant has set up there. See docs/connectors/sift.md. */
export const sift: AntiFraudConnector = {
  manifest,
  decide,
  tell,
  readNotification,
  deviceScript,
}

export const siftConnectors: readonly AntiFraudConnector[] = [sift]

/** https://developers.sift.com/tutorials/anonymous-users: a guest has an empty id. What is seen is sent as addresses of pictures. */
function deviceScript({ fields, environment }: Pick<Link, 'fields' | 'environment'>): DeviceScript | null {
  const { beacon_key: key } = fields
  if (!key) return null
  const standIn = environment === 'sandbox' && fields['stand_in_url'] ? apiOf({ fields, environment }) : null
  return {
    url: `${standIn ?? 'https://cdn.sift.com'}/s.js`,
    queue: {
      name: '_sift',
      calls: [['_setAccount', key], ['_setUserId', ''], ['_setSessionId', FINGERPRINT], ['_trackPageview']],
    },
    origins: standIn ? [standIn] : ['https://hexagon-analytics.com', 'https://*.sift.com'],
  }
}

/** What Sift thinks of an order, by the category of a decision. */
const DECISIONS = { accept: 'accept', block: 'reject', watch: 'review' } as const satisfies Record<
  Category,
  string
>

async function decide(order: DecideOrder, link: Link): Promise<DecideAnswer> {
  const buyer = namesOf(order)
  if (buyer === null) return { outcome: 'skipped', reason: 'no_buyer' }
  const sent = await postEvent(link, '/v205/events?return_workflow_status=true&abuse_types=payment_abuse', {
    ...eventOf(order, link),
    ...buyer,
  })
  if (sent === null) return { outcome: 'unavailable', reason: 'Sift could not be reached' }
  const refusal = refusalIn(sent.status, sent.body)
  if (refusal) return refusal
  return judgeRun(order, link, sent.body)
}

/** Left out: what we do not know. Sift refuses nulls. */
function eventOf(order: DecideOrder, { fields }: Link): object {
  const { buyer } = order
  return {
    $type: '$create_order',
    $order_id: order.transactionId,
    $amount: toMicros(order.amount, order.minorUnits),
    $currency_code: order.currency,
    $payment_methods: [methodOf(order)],
    ...(buyer?.emailAddress && { $user_email: buyer.emailAddress }),
    ...(buyer && { $billing_address: addressOf(buyer) }),
    ...(order.ipAddress && { $ip: order.ipAddress }),
    ...(fields['site_country'] && { $site_country: fields['site_country'] }),
    ...(fields['site_domain'] && { $site_domain: fields['site_domain'] }),
  }
}

function addressOf({ firstName, lastName, phoneNumber, country, address }: DecideBuyer): object {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  const lines = {
    $name: name,
    $phone: phoneNumber,
    $address_1: address?.line1,
    $address_2: address?.line2,
    $city: address?.city,
    $region: address?.state,
    $zipcode: address?.postalCode,
    $country: country,
  }
  return Object.fromEntries(Object.entries(lines).filter(([, value]) => value))
}

type Step = { readonly app: unknown; readonly decisionId: unknown }

async function judgeRun(order: DecideOrder, link: Link, body: unknown): Promise<DecideAnswer> {
  const all = statusesIn(body)
  if (all === null) return { outcome: 'unknown', reason: 'Sift’s answer has no list of workflows' }
  if (all.length === 0) return { outcome: 'skipped', reason: 'no_workflow' }
  const own = all.filter(({ entity }) => entity === `order ${order.transactionId}`)
  if (own.length === 0)
    return { outcome: 'error', reason: 'the workflow decided about a user, not about the order' }
  // The newest step comes first.
  const steps = own.flatMap(({ history }) => history)
  const decided = steps.find(({ app, decisionId }) => app === 'decision' && typeof decisionId === 'string')
  if (decided) return inCategory(String(decided.decisionId), link, own[0]?.id ?? null)
  const isQueued = steps.some(({ app }) => app === 'review_queue')
  if (isQueued) return { outcome: 'decided', decision: 'review', reference: own[0]?.id ?? null }
  return { outcome: 'skipped', reason: 'no_decision' }
}

async function inCategory(decisionId: string, link: Link, reference: string | null): Promise<DecideAnswer> {
  try {
    return { outcome: 'decided', decision: DECISIONS[await categoryOf(decisionId, link)], reference }
  } catch (error) {
    return error instanceof CategoryUnknown
      ? { outcome: 'error', reason: error.message }
      : { outcome: 'unavailable', reason: 'Sift did not list its decisions' }
  }
}

type WorkflowStatus = {
  readonly id: string | null
  readonly entity: string
  readonly history: readonly Step[]
}

/** Null if the answer cannot be read. */
function statusesIn(body: unknown): readonly WorkflowStatus[] | null {
  const scores = isRecord(body) ? body['score_response'] : undefined
  const statuses = isRecord(scores) ? scores['workflow_statuses'] : undefined
  if (!Array.isArray(statuses)) return null
  return statuses.filter(isRecord).map(({ id, entity, history }) => ({
    id: typeof id === 'string' && id !== '' ? id : null,
    entity: isRecord(entity) ? `${entity['type']} ${entity['id']}` : '',
    history: (Array.isArray(history) ? history : []).filter(isRecord).map(({ app, config }) => ({
      app,
      decisionId: isRecord(config) ? config['decision_id'] : undefined,
    })),
  }))
}
