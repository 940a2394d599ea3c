import manifest from '../../../package.json' with { type: 'json' }
import { type Command, choose, columns, UsageError } from './command.ts'
import { explanationOf, type Terminal } from './terminal.ts'

type Entry = readonly [about: string, load: () => Promise<Command>]

const keys = () => import('./keys.ts')
const users = () => import('./users.ts')
const accounts = () => import('./accounts.ts')
const buyers = () => import('./buyers.ts')
const sandboxCommands = () => import('./sandbox-commands.ts')
const exportImport = () => import('./export-import.ts')
const archive = () => import('./archive.ts')

/** Every command. Each is loaded only when it runs, so that `token` does not wait for the whole service. */
const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: ['Run the service.', async () => (await import('./serve.ts')).command],
  migrate: ['Bring the database up to date.', async () => (await import('./migrate.ts')).command],
  token: ['Print a token for the API.', async () => (await import('./token.ts')).command],
  listen: [
    'Print events as they happen, and forward them.',
    async () => (await import('./listen.ts')).command,
  ],
  'keys create': ['Make an API key pair.', async () => (await keys()).keysCreate],
  'keys list': ['List the API key pairs.', async () => (await keys()).keysList],
  'keys disable': ['Make an API key pair inactive.', async () => (await keys()).keysDisable],
  'users invite': ['Invite a user to the dashboard.', async () => (await users()).usersInvite],
  'users list': ['List the users of the dashboard.', async () => (await users()).usersList],
  'users disable': ['Disable a user.', async () => (await users()).usersDisable],
  'users reset': [
    'Let a user start again who has lost every passkey.',
    async () => (await users()).usersReset,
  ],
  'accounts create': [
    'Make a merchant account, in a sandbox with the simulator.',
    async () => (await accounts()).accountsCreate,
  ],
  'accounts list': ['List the merchant accounts.', async () => (await accounts()).accountsList],
  'buyers export': ['Print everything that is known of a buyer.', async () => (await buyers()).buyersExport],
  'buyers erase': ['Erase a buyer, while the books stay.', async () => (await buyers()).buyersErase],
  'bins import': [
    'Import what you know about cards by their first digits.',
    async () => (await import('./bins-import.ts')).command,
  ],
  'wallets token': [
    'Print a test token of Apple Pay or Google Pay, in a sandbox.',
    async () => (await import('./wallets-token.ts')).command,
  ],
  'sandbox clock': [
    'Show what time it is in this sandbox.',
    async () => (await sandboxCommands()).sandboxClock,
  ],
  'sandbox advance': [
    'Move the clock of this sandbox forward.',
    async () => (await sandboxCommands()).sandboxAdvance,
  ],
  trigger: ['Make an event happen, in a sandbox.', async () => (await import('./trigger.ts')).command],
  reset: [
    'Delete everything in this sandbox, and begin again.',
    async () => (await import('./reset.ts')).command,
  ],
  'sandbox fill': [
    'Fill this sandbox with a plausible history.',
    async () => (await sandboxCommands()).sandboxFill,
  ],
  'vault rotate': [
    'Give everything in the vault new keys.',
    async () => (await import('./vault-rotate.ts')).command,
  ],
  'vault import': [
    'Store the cards, and other payment methods, of a file.',
    async () => (await import('./vault-import.ts')).vaultImport,
  ],
  'vault import-key': [
    'Print the key for which such files are encrypted.',
    async () => (await import('./vault-import.ts')).vaultImportKey,
  ],
  'vault export': [
    'Write all cards to a file for another vault.',
    async () => (await import('./vault-export.ts')).vaultExport,
  ],
  'vault export-share': [
    'Give a person one of the two shares that an export needs.',
    async () => (await import('./vault-export.ts')).vaultExportShare,
  ],
  'pages verify': [
    'Check that buyers get the payment pages as they were built.',
    async () => (await import('./pages-verify.ts')).command,
  ],
  'connector new': [
    'Make the folder of a new connector.',
    async () => (await import('./connector-new.ts')).command,
  ],
  'connector check': [
    'Try a connector at the sandbox of its provider, with credentials of yours.',
    async () => (await import('./connector-check.ts')).command,
  ],
  'stand-in': [
    'Run a stand-in for a payment provider, to try it without an account.',
    async () => (await import('./stand-in.ts')).command,
  ],
  export: ['Write the database to a file.', async () => (await exportImport()).exportCommand],
  import: ['Fill an empty database from such a file.', async () => (await exportImport()).importCommand],
  backup: ['Write the embedded database to a file.', async () => (await exportImport()).backupCommand],
  restore: [
    'Fill a new embedded database from such a file.',
    async () => (await exportImport()).restoreCommand,
  ],
  archive: ['Move old, finished payments to files.', async () => (await archive()).archivePayments],
  'archive audit-log': [
    'Move old entries of the audit log to files.',
    async () => (await archive()).archiveAuditLog,
  ],
  'archive list': ['List what was archived.', async () => (await archive()).archiveList],
  'archive restore': [
    'Bring archived payments, or the audit log, back.',
    async () => (await archive()).archiveRestore,
  ],
  recover: [
    'Find payments at the providers that a database has lost.',
    async () => (await import('./recover.ts')).command,
  ],
  doctor: ['Say what is wrong and how to fix it.', async () => (await import('./doctor.ts')).command],
  verify: ['Check that the audit log is unchanged.', async () => (await import('./verify.ts')).command],
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
  const [, load] = entry
  const command = await load()
  await command.run(terminal, args.slice(name.split(' ').length))
}

/** The longest name wins: `keys create` before a command named `keys`. */
function nameIn(words: readonly string[]): string | undefined {
  return [words.slice(0, 2).join(' '), words[0] ?? ''].find((name) => Object.hasOwn(COMMANDS, name))
}

async function helpFor(words: readonly string[], name: string | undefined): Promise<string> {
  if (name !== undefined) {
    const [, load] = COMMANDS[name] as Entry
    return (await load()).help
  }
  const [group] = words
  const known = group === undefined ? Object.keys(COMMANDS) : namesIn(group)
  if (known.length === 0 || words.length > 1) throw unknown(words)
  return [
    `Usage: switchyard ${group === undefined ? '' : `${group} `}COMMAND [options]`,
    '',
    'Commands:',
    columns(known.map((command) => [command, COMMANDS[command]?.[0] ?? ''])),
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
