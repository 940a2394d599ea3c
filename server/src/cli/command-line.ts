import manifest from '../../../package.json' with { type: 'json' }
import { type Command, choose, columns, UsageError } from './command.ts'
import { explanationOf, type Terminal } from './terminal.ts'

type Entry = { readonly about: string; readonly load: () => Promise<Command> }

/** Every command. Each is loaded only when it runs, so that `token` does not wait for the whole service. */
const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: { about: 'Run the service.', load: async () => (await import('./serve.ts')).command },
  migrate: {
    about: 'Bring the database up to date.',
    load: async () => (await import('./migrate.ts')).command,
  },
  token: { about: 'Print a token for the API.', load: async () => (await import('./token.ts')).command },
  listen: {
    about: 'Print events as they happen, and forward them.',
    load: async () => (await import('./listen.ts')).command,
  },
  'keys create': { about: 'Make an API key pair.', load: async () => (await import('./keys.ts')).keysCreate },
  'keys list': { about: 'List the API key pairs.', load: async () => (await import('./keys.ts')).keysList },
  'keys disable': {
    about: 'Make an API key pair inactive.',
    load: async () => (await import('./keys.ts')).keysDisable,
  },
  'users invite': {
    about: 'Invite a user to the dashboard.',
    load: async () => (await import('./users.ts')).usersInvite,
  },
  'users list': {
    about: 'List the users of the dashboard.',
    load: async () => (await import('./users.ts')).usersList,
  },
  'users disable': { about: 'Disable a user.', load: async () => (await import('./users.ts')).usersDisable },
  'users reset': {
    about: 'Let a user start again who has lost every passkey.',
    load: async () => (await import('./users.ts')).usersReset,
  },
  'accounts create': {
    about: 'Make a merchant account, in a sandbox with the simulator.',
    load: async () => (await import('./accounts.ts')).accountsCreate,
  },
  'accounts list': {
    about: 'List the merchant accounts.',
    load: async () => (await import('./accounts.ts')).accountsList,
  },
  'buyers export': {
    about: 'Print everything that is known of a buyer.',
    load: async () => (await import('./buyers.ts')).buyersExport,
  },
  'buyers erase': {
    about: 'Erase a buyer, while the books stay.',
    load: async () => (await import('./buyers.ts')).buyersErase,
  },
  'bins import': {
    about: 'Import what you know about cards by their first digits.',
    load: async () => (await import('./bins-import.ts')).command,
  },
  'wallets token': {
    about: 'Print a test token of Apple Pay or Google Pay, in a sandbox.',
    load: async () => (await import('./wallets-token.ts')).command,
  },
  'sandbox clock': {
    about: 'Show what time it is in this sandbox.',
    load: async () => (await import('./sandbox-commands.ts')).sandboxClock,
  },
  'sandbox advance': {
    about: 'Move the clock of this sandbox forward.',
    load: async () => (await import('./sandbox-commands.ts')).sandboxAdvance,
  },
  trigger: {
    about: 'Make an event happen, in a sandbox.',
    load: async () => (await import('./trigger.ts')).command,
  },
  reset: {
    about: 'Delete everything in this sandbox, and begin again.',
    load: async () => (await import('./reset.ts')).command,
  },
  'sandbox fill': {
    about: 'Fill this sandbox with a plausible history.',
    load: async () => (await import('./sandbox-commands.ts')).sandboxFill,
  },
  'vault rotate': {
    about: 'Give everything in the vault new keys.',
    load: async () => (await import('./vault-rotate.ts')).command,
  },
  'pages verify': {
    about: 'Check that buyers get the payment pages as they were built.',
    load: async () => (await import('./pages-verify.ts')).command,
  },
  'connector new': {
    about: 'Make the folder of a new connector.',
    load: async () => (await import('./connector-new.ts')).command,
  },
  'connector check': {
    about: 'Try a connector at the sandbox of its provider, with credentials of yours.',
    load: async () => (await import('./connector-check.ts')).command,
  },
  'stand-in': {
    about: 'Run a stand-in for a payment provider, to try it without an account.',
    load: async () => (await import('./stand-in.ts')).command,
  },
  export: {
    about: 'Write the database to a file.',
    load: async () => (await import('./export-import.ts')).exportCommand,
  },
  import: {
    about: 'Fill an empty database from such a file.',
    load: async () => (await import('./export-import.ts')).importCommand,
  },
  backup: {
    about: 'Write the embedded database to a file.',
    load: async () => (await import('./export-import.ts')).backupCommand,
  },
  restore: {
    about: 'Fill a new embedded database from such a file.',
    load: async () => (await import('./export-import.ts')).restoreCommand,
  },
  archive: {
    about: 'Move old, finished payments to files.',
    load: async () => (await import('./archive.ts')).archivePayments,
  },
  'archive audit-log': {
    about: 'Move old entries of the audit log to files.',
    load: async () => (await import('./archive.ts')).archiveAuditLog,
  },
  'archive list': {
    about: 'List what was archived.',
    load: async () => (await import('./archive.ts')).archiveList,
  },
  'archive restore': {
    about: 'Bring archived payments, or the audit log, back.',
    load: async () => (await import('./archive.ts')).archiveRestore,
  },
  doctor: {
    about: 'Say what is wrong and how to fix it.',
    load: async () => (await import('./doctor.ts')).command,
  },
  verify: {
    about: 'Check that the audit log is unchanged.',
    load: async () => (await import('./verify.ts')).command,
  },
}

const CONFIGURATION =
  'Every command reads the same environment variables as the service: DATA_DIR, DATABASE_URL, ENVIRONMENT, …'

/** Returns the exit code: 0, 1 if the command failed, 2 if the command line is wrong. */
export async function runCommandLine(terminal: Terminal, args: readonly string[]): Promise<number> {
  const wantsHelp = args[0] === 'help' || args.some((arg) => arg === '--help' || arg === '-h')
  const words = args.filter((arg) => !['help', '--help', '-h'].includes(arg))
  const name = nameIn(words)
  try {
    if (args[0] === '--version') terminal.print(`switchyard ${manifest.version}`)
    else if (wantsHelp) terminal.print(await helpFor(words, name))
    else await run(terminal, args, { words, name })
    return 0
  } catch (error) {
    const isUsage = error instanceof UsageError
    terminal.say(explanationOf(error))
    if (isUsage) terminal.say(`See: switchyard ${name === undefined ? '' : `${name} `}--help`)
    return isUsage ? 2 : 1
  }
}

type Wanted = { readonly words: readonly string[]; readonly name: string | undefined }

async function run(terminal: Terminal, args: readonly string[], { words, name }: Wanted): Promise<void> {
  const entry = name === undefined ? undefined : COMMANDS[name]
  if (!entry || name === undefined) throw unknown(words)
  const command = await entry.load()
  await command.run(terminal, args.slice(name.split(' ').length))
}

/** The longest name wins: `keys create` before a command named `keys`. */
function nameIn(words: readonly string[]): string | undefined {
  return [words.slice(0, 2).join(' '), words[0] ?? ''].find((name) => Object.hasOwn(COMMANDS, name))
}

async function helpFor(words: readonly string[], name: string | undefined): Promise<string> {
  if (name !== undefined) {
    const command = await (COMMANDS[name] as Entry).load()
    return command.help
  }
  const [group] = words
  const known = group === undefined ? Object.keys(COMMANDS) : namesIn(group)
  if (known.length === 0 || words.length > 1) throw unknown(words)
  return [
    `Usage: switchyard ${group === undefined ? '' : `${group} `}COMMAND [options]`,
    '',
    'Commands:',
    columns(known.map((command) => [command, COMMANDS[command]?.about ?? ''])),
    '',
    'Options:',
    columns([
      ['--help', 'Show this text, or after a command: its options and an example.'],
      ...(group === undefined ? [['--version', 'Show the version.']] : []),
    ]),
    '',
    'Example:',
    `  switchyard ${group === undefined ? 'token' : known[0]} --help`,
    '',
    CONFIGURATION,
  ].join('\n')
}

function namesIn(group: string): string[] {
  return Object.keys(COMMANDS).filter((name) => name.startsWith(`${group} `))
}

function unknown(words: readonly string[]): UsageError {
  const [first, second] = words
  const all = Object.keys(COMMANDS)
  if (first === undefined) return new UsageError(`A command is missing. ${choose('', all)}`)
  const siblings = namesIn(first)
  const wrong = second === undefined ? first : `${first} ${second}`
  if (siblings.length === 0) return new UsageError(`There is no command "${first}". ${choose(wrong, all)}`)
  if (second === undefined) return new UsageError(`"${first}" alone is no command. ${choose('', siblings)}`)
  return new UsageError(`There is no command "${wrong}". ${choose(wrong, siblings)}`)
}
