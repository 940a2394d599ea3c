import { type ParseArgsConfig, parseArgs } from 'node:util'
import { distance, nearestNames, suggestion } from '#platform/http/nearest-name.ts'
import type { Terminal } from './terminal.ts'

/** A command that can be listed, explained and run. */
export type Command = {
  readonly help: string
  readonly run: (terminal: Terminal, args: readonly string[]) => Promise<void>
}

/** The command line itself is wrong: exit code 2, and a hint at `--help`. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** Up to this many names are a sentence; more are a list. */
const IN_A_SENTENCE = 8
const STEPS_OF_A_SLIP = 2

/** The name that was probably meant, or all that there are. */
export function choose(wrong: string, known: readonly string[]): string {
  const byWords = new Map(known.map((name) => [name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'), name]))
  const mistyped = known.filter((name) => distance(wrong, name) <= STEPS_OF_A_SLIP)
  const near =
    mistyped.length > 0
      ? mistyped
      : nearestNames(wrong, [...byWords.keys()]).flatMap((words) => byWords.get(words) ?? [])
  if (near.length > 0) return suggestion(near).replace('; d', 'D')
  if (known.length > IN_A_SENTENCE) return `There are\n  ${known.join('\n  ')}`
  return `There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`
}

type Option = {
  readonly type: 'string' | 'boolean'
  readonly about: string
  /** The word that stands for the value in help texts. */
  readonly value?: string
  readonly isRequired?: boolean
  readonly multiple?: boolean
}
type Options = Readonly<Record<string, Option>>

type ValueOf<Kind extends Option> = Kind extends { readonly type: 'boolean' }
  ? boolean
  : Kind extends { readonly multiple: true }
    ? readonly string[]
    : Kind extends { readonly isRequired: true }
      ? string
      : string | undefined

type Given<Known extends Options> = { readonly [Name in keyof Known]: ValueOf<Known[Name]> }

type Spec<Known extends Options> = {
  readonly name: string
  readonly about: string
  readonly options: Known
  /** Required words after the options, such as an id. */
  readonly parameters?: readonly string[]
  readonly example: string
  readonly run: (terminal: Terminal, options: Given<Known>, parameters: readonly string[]) => Promise<void>
}

export function defineCommand<const Known extends Options>(spec: Spec<Known>): Command {
  return {
    help: helpOf(spec),
    run: async (terminal, args) => {
      const { values, positionals } = parse(spec, args)
      checkParameters(spec, positionals)
      await spec.run(terminal, withDefaults(spec.options, values) as Given<Known>, positionals)
    },
  }
}

type Described = Omit<Spec<Options>, 'run'>

function parse({ name, options }: Described, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: options as NonNullable<ParseArgsConfig['options']>,
      allowPositionals: true,
    })
  } catch (error) {
    if (!(error instanceof TypeError) || !('code' in error)) throw error
    const [complaint = ''] = error.message.split(/[.\n]/)
    const known = [...Object.keys(options), 'help'].map((option) => `--${option}`)
    const [, wrong] = /^Unknown option '(.+)'$/.exec(complaint) ?? []
    const near = wrong === undefined ? [] : nearestNames(wrong, Object.keys(options))
    const help =
      near.length > 0
        ? suggestion(near.map((option) => `--${option}`)).replace('; d', 'D')
        : `The options of "switchyard ${name}" are ${known.join(', ')}.`
    throw new UsageError(`${complaint}. ${help}`)
  }
}

function checkParameters({ name, parameters = [] }: Described, given: readonly string[]): void {
  const missing = parameters.slice(given.length)
  if (missing.length > 0) throw new UsageError(`"switchyard ${name}" needs ${missing.join(' and ')}.`)
  const [extra] = given.slice(parameters.length)
  if (extra === undefined) return
  const expected = parameters.length > 0 ? `${parameters.join(' ')} and options` : 'options only'
  throw new UsageError(`"switchyard ${name}" takes ${expected}; "${extra}" is one word too many.`)
}

function withDefaults(options: Options, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(options).map(([name, { type, multiple, isRequired, value, about }]) => {
    const given = values[name]
    if (isRequired && (given === undefined || given === '')) {
      throw new UsageError(`--${name} ${value ?? ''} is missing. ${about}`)
    }
    return [name, given ?? (type === 'boolean' ? false : multiple ? [] : undefined)]
  })
  return Object.fromEntries(entries)
}

function helpOf({ name, about, options, parameters = [], example }: Described): string {
  const entries = Object.entries(options)
  const flags = entries.map(([flag, { value, isRequired, multiple }]) => {
    const text = value === undefined ? `--${flag}` : `--${flag} ${value}`
    return `${isRequired ? text : `[${text}]`}${multiple ? '…' : ''}`
  })
  const rows = entries.map(([flag, option]) => [`--${flag} ${option.value ?? ''}`.trimEnd(), option.about])
  return [
    about,
    '',
    `Usage: switchyard ${[name, ...parameters, ...flags].join(' ')}`,
    '',
    'Options:',
    columns([...rows, ['--help', 'Show this text.']]),
    '',
    'Example:',
    `  ${example}`,
  ].join('\n')
}

/** Two indented columns for help texts. */
export function columns(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([left = '']) => left.length))
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}
