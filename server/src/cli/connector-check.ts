import { readFileSync } from 'node:fs'
import type { Connector } from '#connectors/contract/connector.ts'
import type { Trial } from '#connectors/contract/trial.ts'
import { SIMULATORS } from '#connectors/simulators/options.ts'
import { systemClock } from '#platform/process/clock.ts'
import { checksOf, type Result, runCheck } from '#processing/connector-check/checks.ts'
import { openStage } from '#processing/connector-check/open-stage.ts'
import { type Exchange, recordTo, rulesFor, scrubbing } from '#processing/connector-check/record.ts'
import { openReport, type Ran, reportOf } from '#processing/connector-check/report.ts'
import { loadOutside, registriesFor } from '#processing/connectors.ts'
import program from '../../../package.json' with { type: 'json' }
import { readConfig, secretsIn } from '../config.ts'
import { defineCommand, UsageError } from './command.ts'
import { reasonOf, type Terminal } from './terminal.ts'

type Fields = Readonly<Record<string, string>>

/** `CHECK_API_KEY` is the field `api_key`. */
const VARIABLE = 'CHECK_'

export const command = defineCommand({
  name: 'connector check',
  about:
    'Tries a connector at the sandbox of its provider, with credentials of yours: what the contract suite wants, over the ' +
    'network. It makes test payments there, and refuses live credentials. The credentials come from a file or from ' +
    'environment variables such as CHECK_API_KEY, and are not printed.',
  parameters: ['NAME'],
  options: {
    fields: {
      type: 'string',
      value: 'FILE',
      about:
        'JSON with the fields of the payment service, as in {"api_key": "…"}. Default: the CHECK_ variables.',
    },
    record: {
      type: 'string',
      value: 'FOLDER',
      about: 'Writes each exchange to a new folder, without secrets and without details of cards.',
    },
    report: {
      type: 'string',
      value: 'FILE',
      about:
        'Writes what was run, what came of it, versions and times to a new file, with each exchange. It has no value of your fields, no ' +
        'card number and no details of people, so that it can be sent to others.',
    },
    'stand-in': {
      type: 'string',
      value: 'URL',
      about: 'Tries it at a stand-in (switchyard stand-in) instead of the sandbox.',
    },
    'dry-run': {
      type: 'boolean',
      about: 'Tries it without an account, at a stand-in that runs as long as the check.',
    },
  },
  example: 'switchyard connector check adyen-card --fields adyen-test.json',
  run: async (terminal, options, [name = '']) => {
    const tried = await find(terminal, name)
    const standIn = options['dry-run'] ? await startStandIn(name, options) : undefined
    try {
      const fields = standIn?.fields ?? readFields(terminal, tried.connector, options)
      await checkAll(terminal, { ...tried, fields }, options)
    } finally {
      await standIn?.close()
    }
  },
})

type Tried = { readonly connector: Connector; readonly trial: Trial }
type Wanted = { readonly record: string | undefined; readonly report: string | undefined }

async function checkAll(
  terminal: Terminal,
  { connector, trial, fields }: Tried & { readonly fields: Fields },
  { record, report }: Wanted,
): Promise<void> {
  const refusal = trial.refuse(fields)
  if (refusal !== null) throw new Error(`Refused, and nothing was sent: ${refusal}.`)
  const { manifest } = connector
  const rules = rulesFor({ manifest, fields, trial })
  const file = report === undefined ? undefined : openReport(report, rules.secrets)
  const ran: Ran[] = []
  try {
    const startedAt = systemClock()
    const recorder = record === undefined ? undefined : recordTo(record)
    let current = ''
    let exchanges: Exchange[] = []
    const onExchange = scrubbing(rules, (exchange) => {
      recorder?.(current, exchange)
      if (file) exchanges.push(exchange)
    })
    for (const check of checksOf(openStage(connector, trial, { fields, onExchange }))) {
      current = check.name
      exchanges = []
      const began = performance.now()
      const result = await runCheck(check)
      ran.push({
        name: check.name,
        result,
        durationMs: Math.round(performance.now() - began),
        exchanges,
      })
      terminal.print(lineOf(check.name, result))
      // All others would only fail for the same reason.
      if (check.name === 'credentials' && result.status === 'failed') break
    }
    const { stand_in_url: standIn } = fields
    const told = {
      connector: manifest.id,
      version: program.version,
      environment: standIn ? ('stand-in' as const) : ('sandbox of the provider' as const),
      hosts: standIn ? [new URL(standIn).host] : trial.hosts,
      fields: Object.keys(fields),
    }
    file?.write(reportOf({ ...told, startedAt, ran }, rules.secrets))
  } catch (error) {
    file?.discard()
    throw error
  }
  if (report !== undefined) terminal.say(`The report is in ${report}. Read it before you send it.`)
  const results = ran.map(({ result }) => result)
  summarize(terminal, results, fields['stand_in_url'] ?? trial.hosts[0] ?? '')
}

async function startStandIn(name: string, given: Given) {
  if (given.fields !== undefined || given['stand-in'] !== undefined) {
    throw new UsageError('--dry-run has fields and a stand-in of its own: leave out --fields and --stand-in.')
  }
  const { standInFor } = await import('./stand-in.ts')
  const [provider = ''] = name.split('-')
  const start = standInFor(provider)
  if (!start) {
    throw new UsageError(
      `There is no stand-in for ${name}. Leave out --dry-run, or run a stand-in of your own and name it with --stand-in.`,
    )
  }
  return start(0, systemClock)
}

async function find({ env }: Terminal, name: string): Promise<Tried> {
  const config = readConfig(env)
  const packages = await loadOutside(config.connectors, secretsIn(config))
  const { connectors } = registriesFor('sandbox', { packages })
  const connector = connectors.find(name)
  if (connector?.trial) return { connector, trial: connector.trial }
  const known = connectors.list.filter(({ trial }) => trial).map(({ manifest }) => manifest.id)
  const others = `NAME can be ${known.join(', ')}.`
  const isSimulated = SIMULATORS.some(({ id }) => id === name)
  if (!connector && !isSimulated) throw new UsageError(`There is no connector "${name}". ${others}`)
  const why = isSimulated ? 'is simulated: there is no sandbox' : 'has no trial'
  throw new UsageError(`${name} ${why}. ${others}`)
}

type Given = { readonly fields: string | undefined; readonly 'stand-in': string | undefined }

function readFields(terminal: Terminal, { manifest }: Connector, given: Given): Fields {
  const known = [...manifest.fields, ...manifest.reportingFields]
  const fields: Record<string, string> =
    given.fields === undefined ? fromVariables(terminal, known) : fromFile(given.fields)
  const standIn = given['stand-in']
  if (standIn !== undefined) {
    const url = URL.parse(standIn)
    if (!url || !/^https?:$/.test(url.protocol))
      throw new UsageError('--stand-in must be an address that begins with http.')
    fields['stand_in_url'] = url.origin
  }
  const strangers = Object.keys(fields).filter((key) => !known.some((field) => field.key === key))
  if (strangers.length > 0) {
    throw new Error(
      `${manifest.id} has no field ${strangers.join(', ')}. It has ${known.map(({ key }) => key).join(', ')}.`,
    )
  }
  const problems = known.flatMap(({ key, isRequired, pattern, help }) => {
    const value = fields[key]
    if (!value) return isRequired ? [`${key} is missing. ${help ?? ''}`.trim()] : []
    return pattern && !pattern.test(value)
      ? [`${key} does not have the form that it should have. ${help ?? ''}`.trim()]
      : []
  })
  if (problems.length > 0) {
    const how = `Enter fields in a file (--fields), or as variables such as ${VARIABLE}${known[0]?.key.toUpperCase()}.`
    throw new Error([...problems, how].join('\n'))
  }
  return fields
}

function fromVariables(
  { env }: Terminal,
  known: readonly { readonly key: string }[],
): Record<string, string> {
  return Object.fromEntries(
    known.flatMap(({ key }) => {
      const value = env[VARIABLE + key.toUpperCase()]?.trim()
      return value ? [[key, value]] : []
    }),
  )
}

function fromFile(path: string): Record<string, string> {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The message of a parser may show what it read.
    const reason = error instanceof SyntaxError ? 'it is no JSON' : reasonOf(error)
    throw new Error(`${path} cannot be read: ${reason}.`)
  }
  const isTexts =
    typeof content === 'object' &&
    content !== null &&
    !Array.isArray(content) &&
    Object.values(content).every((value) => typeof value === 'string')
  if (!isTexts)
    throw new Error(`${path} must be a JSON object whose values are texts, such as {"api_key": "…"}.`)
  return { ...(content as Record<string, string>) }
}

function lineOf(name: string, { status, text, remedy }: Result): string {
  return `${status.padEnd(7)}  ${name.padEnd(27)}  ${text}${remedy === undefined ? '' : `. ${remedy}`}`
}

function summarize({ print }: Terminal, results: readonly Result[], where: string): void {
  const count = (status: Result['status']) => results.filter((result) => result.status === status).length
  print(`${count('ok')} checked, ${count('skipped')} skipped, ${count('failed')} failed, at ${where}.`)
  const failures = count('failed')
  if (failures > 0) throw new Error(failures === 1 ? '1 check failed.' : `${failures} checks failed.`)
}
