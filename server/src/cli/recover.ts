import type { ListedOperation } from '#connectors/contract/connector.ts'
import type { Finding } from '#payments/recover/compare.ts'
import type { Entered } from '#payments/recover/enter.ts'
import type { ServiceActivity, Window } from '#payments/recover/list.ts'
import { createCommandLogger } from '#platform/observability/log.ts'
import type { WorkingService } from '#resources/payment-services/store.ts'
import { admitPackages } from '../admit-packages.ts'
import { readConfig } from '../config.ts'
import type { Lost, Recovery } from '../recovery.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { addressOf } from './own-address.ts'
import { oneLine, type Terminal, table } from './terminal.ts'

const WORD = 'enter'
const DAYS_MAX = 30
const DAY_MS = 24 * 3_600_000

export const command = defineCommand({
  name: 'recover',
  about:
    'After a database was put back to an earlier time: asks every payment service that can be asked what was done since, and lists what this database lacks. With --enter, enters it. Providers are asked, and nothing is changed there.',
  options: {
    since: {
      type: 'string',
      value: 'TIME',
      isRequired: true,
      about: 'When the loss began, such as 2026-11-17T10:00:00Z. Begin some minutes earlier.',
    },
    until: { type: 'string', value: 'TIME', about: 'When it ended. Without it: now.' },
    service: { type: 'string', value: 'ID', about: 'Ask this payment service alone.' },
    enter: { type: 'boolean', about: 'Enter what is missing, after a question.' },
    yes: { type: 'boolean', about: 'Do not ask.' },
    json: { type: 'boolean', about: 'Print one JSON document, for programs.' },
  },
  example: 'switchyard recover --since 2026-11-17T10:00:00Z',
  run: async (terminal, { since, until, service: serviceId, enter, yes, json }) => {
    const config = readConfig(terminal.env)
    await admitPackages(config)
    await withFoundation(terminal, config, async (foundation) => {
      const window = windowOf(since, until, foundation.context.clock())
      const { recoveryOf } = await import('../recovery.ts')
      const logger = createCommandLogger(terminal.say)
      const surroundings = { logger, publicUrl: await addressOf(config) }
      const recovery = recoveryOf(config, foundation, { ...window, serviceId }, surroundings)
      const lost = await recovery.find()
      if (serviceId !== undefined && lost.activities.length === 0)
        throw new UsageError(`There is no payment service ${serviceId}.`)
      if (!json) report(terminal, lost)
      const entered = enter ? await enterAll(terminal, recovery, lost, yes) : null
      if (json)
        terminal.print(
          documentOf({ ...lost, toEnter: entered ?? lost.toEnter }, enter ? 'entered' : 'missing'),
        )
      else if (!enter && lost.toEnter.length > 0)
        terminal.say('Nothing was changed. With --enter, it is entered.')
      refuseSilence(lost)
    })
  },
})

/** A time without a zone would be read by the zone of this machine. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.]\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/

function windowOf(since: string, until: string | undefined, now: Date): Window {
  const from = readTime('since', since)
  const to = until === undefined ? now : readTime('until', until)
  if (from > now) throw new UsageError('--since is in the future. Name a time that is over.')
  if (to > now) throw new UsageError('--until is in the future. Leave it out: then it is now.')
  if (from >= to) throw new UsageError('--since must be before --until.')
  if (to.getTime() - from.getTime() > DAYS_MAX * DAY_MS) {
    const message = `There are more than ${DAYS_MAX} days from --since to --until.`
    throw new UsageError(`${message} Recover one part after the other, the oldest first.`)
  }
  return { from, until: to }
}

function readTime(name: string, text: string): Date {
  const time = new Date(TIME.test(text) ? text : Number.NaN)
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`--${name} must be a time with its zone, such as 2026-11-17T10:00:00Z.`)
  return time
}

function report({ print, say }: Terminal, lost: Lost): void {
  const { activities, toEnter, refused, different, known, hasGiftCards } = lost
  for (const text of activities.map(describe)) say(text)
  if (hasGiftCards) say('Gift card services cannot be asked: compare their own lists.')
  say('Payouts are not listed: compare those of the providers.')
  const rows = toEnter.flatMap(rowsOf)
  if (rows.length > 0) {
    print(table([['MISSING', 'OPERATION', 'OUTCOME', 'AMOUNT', 'TIME', 'SERVICE', 'REFERENCE'], ...rows]))
  }
  for (const one of different) say(`Different: ${textOf(one)}`)
  for (const one of refused) say(`Cannot be entered: ${textOf(one)}`)
  say(`${known} operations are here as the providers have them. Missing: ${sumOf(toEnter)}.`)
}

function describe({ service, operations, problem }: ServiceActivity): string {
  const name = `${oneLine(service.display_name)} (${service.payment_service_definition_id}, ${service.id})`
  if (!problem) return `${name}: ${operations.length} operations listed.`
  if (problem.kind === 'silent') return `${name}: gave no answer: ${problem.reason}.`
  return `${name}: cannot be asked, because ${problem.reason}. Compare its reports, and let it send its notifications again.`
}

function rowsOf({ missing, operations }: Entered): string[][] {
  return operations.map((operation) => [
    missing.isKnown ? `of payment ${missing.transactionId}` : `payment ${missing.transactionId}`,
    ...cellsOf(operation, missing.service),
  ])
}

function cellsOf(
  { operation, answer, amount, currency, at }: ListedOperation,
  { display_name }: WorkingService,
): string[] {
  const money = `${currency} ${amount ?? '?'}`
  return [operation, answer.outcome, money, at.toISOString(), oneLine(display_name), answer.reference ?? '']
}

function textOf({ operation, services, reason }: Finding): string {
  const [service] = services
  const cells = service ? cellsOf(operation, service) : []
  return `${cells.join(' ')}: ${reason}.`
}

function sumOf(all: readonly Entered[]): string {
  const payments = all.filter(({ missing }) => !missing.isKnown).length
  const operations = all.reduce((sum, one) => sum + one.operations.length, 0)
  return `${payments} payments, and ${operations} operations with theirs`
}

async function enterAll(
  { ask, say }: Terminal,
  recovery: Recovery,
  lost: Lost,
  isSure: boolean,
): Promise<readonly Entered[]> {
  if (lost.toEnter.length === 0) return []
  const question = `To be entered: ${sumOf(lost.toEnter)}. Type "${WORD}": `
  if (!isSure && (await ask(question)) !== WORD)
    throw new UsageError('Nothing was entered. To enter without a question, use --yes.')
  const entered = await recovery.enter(lost)
  say(`Entered: ${sumOf(entered)}.`)
  return entered
}

function documentOf(
  { activities, toEnter, refused, different, known }: Lost,
  name: 'missing' | 'entered',
): string {
  const services = activities.map(({ service, operations, problem }) => ({
    id: service.id,
    payment_service_definition_id: service.payment_service_definition_id,
    merchant_account_id: service.merchant_account_id,
    listed: operations.length,
    problem: problem ?? null,
  }))
  const of = ({ operation, services: through, reason }: Finding) => ({
    ...wireOf(operation),
    payment_service_ids: through.map(({ id }) => id),
    reason,
  })
  const found = toEnter.flatMap(({ missing, operations }) =>
    operations.map((operation) => ({
      transaction_id: missing.transactionId,
      is_payment_known: missing.isKnown,
      payment_service_id: missing.service.id,
      ...wireOf(operation),
    })),
  )
  const all = { services, known, [name]: found, refused: refused.map(of), different: different.map(of) }
  return JSON.stringify(all, null, 2)
}

function wireOf({ operation, answer, amount, currency, at, attemptId }: ListedOperation) {
  const { outcome, reference } = answer
  return { operation, outcome, amount, currency, at, attempt_id: attemptId, reference }
}

/** What a service that gave no answer has, is still missing. */
function refuseSilence({ activities }: Lost): void {
  const silent = activities.filter(({ problem }) => problem?.kind === 'silent').map(describe)
  if (silent.length === 0) return
  throw new Error(`Not every payment service has answered. Repeat this command.\n${silent.join('\n')}`)
}
