import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '#connectors/contract/manifest.ts'
import { CARD_NUMBER, SECURITY_CODE } from '#connectors/contract/samples.ts'
import type { Trial } from '#connectors/contract/trial.ts'
import {
  allowListOf,
  type Rules,
  type ShownRequest,
  type ShownResponse,
  scrubRequest,
  scrubResponse,
} from '../exchanges/scrub.ts'
import type { OnExchange } from './open-stage.ts'

/** One request and its answer, with only what the manifest allows to show. */
export type Exchange = { readonly request: ShownRequest; readonly response: ShownResponse | null }

type Tried = {
  readonly manifest: Manifest
  readonly fields: Readonly<Record<string, string>>
  readonly trial: Trial
}

/** Shorter ones are found in harmless texts, too. */
const SECRET_MIN = 6
const HARMLESS_FIELDS = ['stand_in_url']

/** What nobody else may read: all that the merchant entered, secret or not, and the cards of the test payments. */
export function rulesFor({ manifest, fields, trial }: Tried): Rules {
  const entered = Object.entries(fields).flatMap(([key, value]) =>
    HARMLESS_FIELDS.includes(key) ? [] : [value],
  )
  const cards = [trial.approved?.(), trial.declined?.()].flatMap((order) =>
    order?.instrument?.kind === 'card' ? [order.instrument.number.use(String)] : [],
  )
  const secrets = [...entered, ...cards, CARD_NUMBER, SECURITY_CODE]
  return {
    allowed: allowListOf(manifest),
    secrets: [...new Set(secrets)].filter((secret) => secret.length >= SECRET_MIN),
  }
}

/** Reads each exchange, and hands it on without secrets. */
export function scrubbing(rules: Rules, take: (exchange: Exchange) => void): OnExchange {
  return async (url, init, answer) => {
    const body = answer && Buffer.from(await answer.arrayBuffer())
    take({
      request: scrubRequest(url, init, rules),
      response: answer && scrubResponse(answer, body, rules),
    })
  }
}

/** Writes each exchange to a file of its own, named after the check that runs then. */
export function recordTo(folder: string): (check: string, exchange: Exchange) => void {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty. Name a new folder with --record.`)
  let count = 0
  return (check, exchange) => {
    count += 1
    const name = `${String(count).padStart(3, '0')}-${check.replaceAll(/[^a-z]+/gi, '-')}.json`
    writeFileSync(join(folder, name), `${JSON.stringify({ check, ...exchange }, null, 2)}\n`)
  }
}
