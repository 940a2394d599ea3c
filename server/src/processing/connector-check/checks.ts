import type { ActivityAnswer, Answer, SyncAnswer } from '#connectors/contract/connector.ts'
import type { Operation } from '#connectors/contract/orders.ts'
import { captureOrder, forgetTokenOrder, refundOrder, voidOrder } from '#connectors/contract/samples.ts'
import { type Ask, inWords, isOpen, referenceOf, type Stage } from '#connectors/contract/suite-stage.ts'
import { LOST_ANSWER } from '#connectors/contract/suite-troubles.ts'

export type Result = {
  readonly status: 'ok' | 'skipped' | 'failed'
  readonly text: string
  /** What to do about it. */
  readonly remedy?: string
}

export type Check = { readonly name: string; readonly run: () => Promise<Result> }

const ok = (text: string): Result => ({ status: 'ok', text })
const skipped = (text: string): Result => ({ status: 'skipped', text })
const failed = (text: string, remedy: string): Result => ({ status: 'failed', text, remedy })

const TELL_US = 'Send us the report (--report): the connector misreads this provider.'

const NOT_ALLOWED = 'the fields do not allow it for this account'

/**
 * What the contract suite wants of a connector, as far as a provider's own sandbox can show it: its books are not open to
 * us, no buyer is there to approve, and no message reaches this machine.
 */
export function checksOf(stage: Stage): readonly Check[] {
  const { connector } = stage
  return [
    { name: 'credentials', run: () => checkCredentials(stage) },
    { name: 'wrong credentials', run: () => checkWrongCredentials(stage) },
    ...(connector.trial?.approved
      ? paymentChecks(stage)
      : [{ name: 'payments', run: async () => skipped('a buyer has to approve each of them in a browser') }]),
    {
      name: 'notifications',
      run: async () =>
        skipped('the provider cannot reach this machine. Let a service with a public address take one'),
    },
    {
      name: 'reports',
      run: async () =>
        skipped('a sandbox settles nothing on the day. Look at GET /payment-service-reports later'),
    },
  ]
}

async function checkCredentials({ connector, bench }: Stage): Promise<Result> {
  const answer = await connector.verify?.(bench.link)
  if (!answer) return skipped('the connector cannot verify them')
  if (answer.outcome === 'accepted') return ok('the provider accepts them')
  const remedy =
    answer.outcome === 'rejected'
      ? 'Correct them: without them nothing else can be checked.'
      : 'Check the network from this machine to the provider, and try again.'
  return failed(answer.message, remedy)
}

/** A connector that accepts anything would hide a mistake until the first payment. */
async function checkWrongCredentials({ connector, bench }: Stage): Promise<Result> {
  const { verify, manifest } = connector
  const keys = manifest.fields.filter(({ isSecret, isVerifiable }) => isSecret && isVerifiable)
  if (!verify || keys.length === 0) return skipped('the connector cannot verify credentials')
  for (const { key } of keys) {
    const fields = { ...bench.link.fields, [key]: changed(bench.link.fields[key] ?? '') }
    const link = {
      ...bench.link,
      fields,
      remember: async (_name: string, make: Make) => (await make()).value,
    }
    const { outcome } = await verify(link)
    if (outcome !== 'rejected') return failed(`a changed ${key} is ${outcome}, and not rejected`, TELL_US)
  }
  return ok('the provider refuses changed ones')
}

/** In the middle: what follows the end of Base64 is not read, and what stands in front says the kind of a key. */
function changed(secret: string): string {
  const middle = Math.ceil(secret.length / 2)
  return `${secret.slice(0, middle)}0${secret.slice(middle)}`
}

type Make = () => Promise<{ readonly value: string }>

function paymentChecks(stage: Stage): readonly Check[] {
  const { capabilities } = stage.connector.manifest
  const { declined } = stage.bench
  return [
    ...stage.operations.flatMap((operation) => operationChecks(stage, operation)),
    { name: 'authorize: never arrived', run: () => checkNeverArrived(stage) },
    ...(declined ? [{ name: 'authorize: declined', run: () => checkDecline(stage) }] : []),
    ...(capabilities.directCapture
      ? [{ name: 'authorize: captured at once', run: () => checkPaid(stage, { intent: 'capture' }) }]
      : []),
    ...(capabilities.zeroAuthorization
      ? [{ name: 'authorize: amount of zero', run: () => checkPaid(stage, { amount: 0 }) }]
      : []),
    ...(capabilities.multipleCaptures
      ? [{ name: 'capture: in parts', run: () => checkParts(stage, 'capture') }]
      : []),
    ...(capabilities.overCapture
      ? [{ name: 'capture: beyond the amount', run: () => checkOverCapture(stage) }]
      : []),
    ...(capabilities.remainderVoids ? [{ name: 'void: the rest', run: () => checkRemainder(stage) }] : []),
    ...(stage.connector.tokenize
      ? [{ name: 'tokenize: pays and is forgotten', run: () => checkToken(stage) }]
      : []),
    ...(stage.connector.activity ? [{ name: 'activity', run: () => checkActivity(stage) }] : []),
    ...(capabilities.partialRefunds
      ? [{ name: 'refund: in parts', run: () => checkParts(stage, 'refund') }]
      : []),
  ]
}

function operationChecks(stage: Stage, operation: Operation): readonly Check[] {
  const { connector, bench } = stage
  const { fields } = bench.link
  const missing = connector.trial?.needs?.[operation]?.filter((key) => !fields[key]) ?? []
  const isAllowed = connector.manifest.capabilities.operationNeeds?.[operation]?.(fields) ?? true
  const obstacle =
    operation === 'cancel'
      ? 'no buyer keeps a payment waiting here'
      : missing.length > 0
        ? `enter ${missing.join(' and ')} to check it`
        : isAllowed
          ? null
          : NOT_ALLOWED
  if (obstacle !== null) return [{ name: operation, run: async () => skipped(obstacle) }]
  return [
    { name: operation, run: () => checkOnce(stage, operation) },
    { name: `${operation}: repeated`, run: () => checkRepeated(stage, operation) },
    ...(connector.sync
      ? [{ name: `${operation}: answer lost`, run: () => checkLost(stage, operation) }]
      : []),
  ]
}

async function checkOnce(stage: Stage, operation: Operation): Promise<Result> {
  const { ask } = await prepare(stage, operation)
  return verdict(await ask())
}

/** The id of the attempt is the idempotency key: the same attempt is the same payment. */
async function checkRepeated(stage: Stage, operation: Operation): Promise<Result> {
  const { ask } = await prepare(stage, operation)
  const first = await ask()
  const again = await ask()
  if (referenceOf(first) === '') return verdict(first)
  return referenceOf(first) === referenceOf(again)
    ? ok(`the same one, ${referenceOf(first)}`)
    : failed(`${referenceOf(first)} at first, and then ${inWords(again)} ${referenceOf(again)}`, TELL_US)
}

/** The request arrives, and its answer does not. */
async function checkLost(stage: Stage, operation: Operation): Promise<Result> {
  const { ask, ...attempt } = await prepare(stage, operation)
  const first = await ask(stage.linkWhere('money', LOST_ANSWER))
  if (first.outcome !== 'unknown') return failed(`is ${inWords(first)} without an answer`, TELL_US)
  const found = await stage.connector.sync?.(stage.inquiry(attempt, null), stage.bench.link)
  if (!found) return skipped('the connector cannot ask')
  return found.outcome === 'approved' || isOpen(found)
    ? ok(`found: ${inWords(found)}, ${referenceOf(found)}`)
    : failed(`is ${inWords(found)} when asked for`, TELL_US)
}

async function checkNeverArrived(stage: Stage): Promise<Result> {
  const { sync, manifest } = stage.connector
  if (!sync) return skipped('the connector cannot ask')
  const { ask, ...attempt } = stage.authorization()
  const found = await sync(stage.inquiry(attempt, null), stage.bench.link)
  if (manifest.recovery.by === 'replay') return verdict(found)
  if (found.outcome === 'unknown') return ok('stays unknown, as the provider’s rules have it')
  if (found.outcome !== 'not_found') return failed(`is ${inWords(found)} although it was not sent`, TELL_US)
  const late = await ask()
  return late.outcome === 'approved' || isOpen(late)
    ? failed('was called not found, and was carried out when it arrived late', TELL_US)
    : ok('not found, and refused when it arrives late')
}

async function checkDecline(stage: Stage): Promise<Result> {
  const { ask } = stage.authorization(stage.bench.declined)
  const answer = await ask()
  return answer.outcome === 'declined'
    ? ok(inWords(answer))
    : failed(
        `is ${inWords(answer)}, and not declined`,
        'Check that the sandbox accepts the documented test values.',
      )
}

async function checkPaid(stage: Stage, over: object): Promise<Result> {
  const { ask } = stage.authorization(over)
  return verdict(await ask())
}

async function checkParts(stage: Stage, operation: 'capture' | 'refund'): Promise<Result> {
  const { connector, bench } = stage
  const on = await stage.authorized(operation === 'refund' ? { intent: 'capture' } : {})
  const needs = connector.manifest.capabilities.operationNeeds
  if (operation === 'capture' && needs?.multipleCaptures?.(bench.link.fields) === false) {
    return skipped(NOT_ALLOWED)
  }
  let last: Answer | undefined
  for (const [amount, isFinal] of [
    [500, false],
    [299, true],
  ] as const) {
    last =
      operation === 'capture'
        ? await connector.capture?.(captureOrder(on, { amount, isFinal }), bench.link)
        : await connector.refund?.(refundOrder(on, { amount }), bench.link)
    if (last && last.outcome !== 'approved' && !isOpen(last)) return verdict(last)
  }
  return last ? verdict(last) : skipped('the connector cannot')
}

async function checkOverCapture(stage: Stage): Promise<Result> {
  const { connector, bench } = stage
  if (connector.manifest.capabilities.operationNeeds?.overCapture?.(bench.link.fields) === false)
    return skipped(NOT_ALLOWED)
  const on = await stage.authorized()
  const order = captureOrder(on, { amount: on.order.amount + 1 })
  const answer = await connector.capture?.(order, bench.link)
  return answer ? verdict(answer) : skipped('the connector cannot')
}

async function checkRemainder(stage: Stage): Promise<Result> {
  const { connector, bench } = stage
  if (connector.manifest.capabilities.operationNeeds?.multipleCaptures?.(bench.link.fields) === false)
    return skipped(NOT_ALLOWED)
  const on = await stage.authorized()
  const part = await connector.capture?.(captureOrder(on, { amount: 500, isFinal: false }), bench.link)
  if (part && isOpen(part))
    return skipped('a capture is decided by a notification, which is not checked here')
  if (part?.outcome !== 'approved') return part ? verdict(part) : skipped('the connector cannot')
  const order = voidOrder(on, { amount: on.order.amount - 500 })
  const answer = await connector.void?.(order, bench.link)
  return answer ? verdict(answer) : skipped('the connector cannot')
}

async function checkToken(stage: Stage): Promise<Result> {
  const { connector, bench } = stage
  const { method, capabilities } = connector.manifest
  if (capabilities.operationNeeds?.tokenize?.(bench.link.fields) === false) return skipped(NOT_ALLOWED)
  const stored = await (await stage.prepare('tokenize')).ask()
  if (stored.outcome !== 'approved' || !stored.token) return verdict(stored)
  const { value: token } = stored.token
  const instrument = { kind: 'provider-token', method, token, securityCode: null } as const
  const paid = await stage.authorization({ instrument }).ask()
  if (paid.outcome !== 'approved') return verdict(paid)
  await connector.forgetToken?.(forgetTokenOrder(token), bench.link)
  const late = await stage.authorization({ instrument }).ask()
  return late.outcome === 'approved'
    ? failed('pays after it was forgotten', TELL_US)
    : ok(`pays, and is ${inWords(late)} once it is forgotten`)
}

const HOUR_MS = 3_600_000
/** Providers list a payment some seconds after it was made. */
const LIST_TRIES = 5
const LIST_PAUSE_MS = 3_000

async function checkActivity(stage: Stage): Promise<Result> {
  const { connector, bench } = stage
  const { activity } = connector
  if (!activity) return skipped('the connector cannot')
  const { order } = await stage.authorized()
  const now = bench.link.now().getTime()
  const window = { from: new Date(now - HOUR_MS), until: new Date(now + HOUR_MS) }
  for (let tries = 1; tries <= LIST_TRIES; tries += 1) {
    let after: string | null = null
    do {
      const page: ActivityAnswer = await activity({ ...window, after }, bench.link)
      if (page.outcome === 'unreachable') return failed(page.message, 'Check what the account may do.')
      if (page.operations.some(({ attemptId }) => attemptId === order.attemptId))
        return ok('lists the payment')
      after = page.next
    } while (after !== null)
    if (tries < LIST_TRIES) await new Promise((resume) => setTimeout(resume, LIST_PAUSE_MS))
  }
  return failed('does not list a payment that was made', TELL_US)
}

/** A refund needs no capture whose end we would have to hear of: the payment is captured at once. */
async function prepare(stage: Stage, operation: Operation): Promise<Ask> {
  const { connector, bench } = stage
  const { refund } = connector
  if (operation !== 'refund' || !refund || !connector.manifest.capabilities.directCapture) {
    return stage.prepare(operation)
  }
  const order = refundOrder(await stage.authorized({ intent: 'capture' }))
  const { attemptId, transactionId } = order
  return { operation, attemptId, transactionId, order, ask: (link = bench.link) => refund(order, link) }
}

function verdict(answer: Answer | SyncAnswer): Result {
  if (answer.outcome === 'approved') return ok(`approved, ${answer.reference}`)
  if (answer.outcome === 'pending') {
    return ok(`taken, ${answer.reference}. How it ends comes with a notification, which is not checked here`)
  }
  if (answer.outcome === 'approval_required') return skipped('a buyer has to approve it in a browser')
  const isAccount = 'code' in answer && /service|permission|unsupported/.test(answer.code)
  return failed(
    `is ${inWords(answer)}`,
    isAccount
      ? 'Check what the account may do: docs/connectors has the settings and permissions.'
      : 'Check that the sandbox accepts the documented test values; the report (--report) shows its answer.',
  )
}

/** Runs one check. An error is a failure of that check, and the others still run. */
export async function runCheck({ run }: Check): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'an error'
    return failed(reason, 'Look at what failed before it: this check needs it.')
  }
}
