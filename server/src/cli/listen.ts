import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Secrets } from '#platform/access/secrets.ts'
import { realTime } from '#platform/process/clock.ts'
import { showEvent } from '#resources/events/show.ts'
import type { StoredEvent } from '#resources/events/store.ts'
import * as events from '#resources/events/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { signatureHeaders } from '#resources/webhook-subscriptions/sign.ts'
import { readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { reasonOf } from './terminal.ts'

const PAUSE_MS = 250
const PAGE = 1_000
/** A transaction may take a while to commit, and its events bear the time when it began. */
const OVERLAP_MS = 30_000
const DEADLINE_MS = 5_000
const NO_SERVICE =
  'No service of this installation runs on this database now, so nothing will happen until one is started: npm start'

export const command = defineCommand({
  name: 'listen',
  about:
    'Prints events as they happen. With --forward-to, also sends each to a server of yours, signed as a webhook is. ' +
    'It does not retry or store events: use a subscription for that.',
  options: {
    'forward-to': {
      type: 'string',
      value: 'URL',
      about: 'Where to send events, such as http://127.0.0.1:4000/hooks.',
    },
    'merchant-account': { type: 'string', value: 'ID', about: 'Only the events of this merchant account.' },
    json: { type: 'boolean', about: 'Print each event as a line of JSON.' },
  },
  example: 'switchyard listen --forward-to http://127.0.0.1:4000/hooks',
  run: async (terminal, options) => {
    const { print, say } = terminal
    const url = readUrl(options['forward-to'])
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async ({ context, secrets, pool }) => {
      const account = options['merchant-account']
      if (account !== undefined && !(await merchantAccounts.exists(context, account))) {
        throw new Error(`There is no merchant account "${account}".`)
      }
      if (!(await isServiceConnected(pool))) say(NO_SERVICE)
      const secret = listeningSecret(secrets)
      if (url) say(`Forwarding to ${url}. The signing secret is ${secret}`)
      say('Waiting for events; Ctrl-C ends it.')
      for await (const event of follow(context, account)) {
        const shown = showEvent(event, config)
        const result = url
          ? await forward(url, secret, {
              id: event.id,
              at: realTime(context.clock),
              body: JSON.stringify(shown),
            })
          : ''
        print(options.json ? JSON.stringify(shown) : lineFor(event, result))
      }
    })
  },
})

/**
 * Processes of this installation connect under its name. So do commands: one may be mistaken for a service.
 */
async function isServiceConnected(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select 1 from pg_stat_activity where datname = current_database()
       and application_name like 'switchyard %' and application_name <> current_setting('application_name')
     limit 1`,
  )
  return rowCount === 1
}

function readUrl(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  if (/^https?:$/.test(URL.parse(given)?.protocol ?? '')) return given
  throw new UsageError(
    `--forward-to must be a URL that starts with http:// or https://, and "${given}" is none.`,
  )
}

/** The same each time, so that a developer sets it once. No subscription uses it. */
function listeningSecret(secrets: Secrets): string {
  const halves = ['first', 'second'].map((half) => secrets.mac('listen', half))
  return Buffer.concat(halves).toString('base64url')
}

async function* follow(
  context: Foundation['context'],
  merchantAccountId: string | undefined,
): AsyncGenerator<StoredEvent> {
  const start = context.clock()
  const seen = new Map<string, number>()
  for (;;) {
    const now = context.clock().getTime()
    const since = new Date(Math.max(start.getTime(), now - OVERLAP_MS))
    for (const [id, at] of seen) if (at < since.getTime()) seen.delete(id)
    for (const event of await events.listSince(context, { since, merchantAccountId, limit: PAGE })) {
      if (seen.has(event.id)) continue
      seen.set(event.id, event.created_at.getTime())
      yield event
    }
    await sleep(PAUSE_MS)
  }
}

type Delivery = { readonly id: string; readonly at: Date; readonly body: string }

async function forward(url: string, secret: string, delivery: Delivery): Promise<string> {
  const start = performance.now()
  const result = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Switchyard',
      ...signatureHeaders([secret], delivery),
    },
    body: delivery.body,
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).then(
    async (response) => {
      await response.body?.cancel()
      return String(response.status)
    },
    (error: unknown) => reasonOf(error),
  )
  return `  → ${result} in ${Math.round(performance.now() - start)} ms`
}

function lineFor({ created_at, name, target_id }: StoredEvent, result: string): string {
  return `${created_at.toISOString()}  ${name.padEnd(34)} ${target_id}${result}`
}
