import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '#connectors/contract/manifest.ts'
import { CARD_NUMBER, SECURITY_CODE } from '#connectors/contract/samples.ts'
import { allowListOf, scrubRequest, scrubResponse } from '../exchanges/scrub.ts'
import type { OnExchange } from './open-stage.ts'

type Options = {
  readonly manifest: Manifest
  readonly fields: Readonly<Record<string, string>>
  /** The name of the check that runs now. */
  readonly check: () => string
}

/** Shorter ones are found in harmless texts, too. */
const SECRET_MIN = 6

/** Writes each exchange to a file of its own, with only what the manifest allows to show. */
export function recordTo(folder: string, { manifest, fields, check }: Options): OnExchange {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty. Name a new folder with --record.`)
  const own = manifest.fields.filter(({ isSecret }) => isSecret).map(({ key }) => fields[key] ?? '')
  const secrets = [...own, CARD_NUMBER, SECURITY_CODE].filter((secret) => secret.length >= SECRET_MIN)
  const rules = { allowed: allowListOf(manifest), secrets }
  let count = 0
  return async (url, init, answer) => {
    count += 1
    const body = answer && Buffer.from(await answer.arrayBuffer())
    const exchange = {
      check: check(),
      request: scrubRequest(url, init, rules),
      response: answer && scrubResponse(answer, body, rules),
    }
    const name = `${String(count).padStart(3, '0')}-${check().replaceAll(/[^a-z]+/gi, '-')}.json`
    writeFileSync(join(folder, name), `${JSON.stringify(exchange, null, 2)}\n`)
  }
}
