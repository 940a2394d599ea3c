// Runs the suites of the connectors, and writes docs/connectors/capabilities.md from what passed: node tools/capability-page.ts
// Every other run compares its suites with the page, and fails if a line of it is not what was tested.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

export const FILE = 'docs/connectors/capabilities.md'
const COMMAND = 'node tools/capability-page.ts'

/** What a connector can do, in our words, and the test of its suite that shows it. */
const PAYMENTS = {
  Payments: {
    'captured at once': 'authorize > captures at once',
    'of nothing': 'authorize > accepts an amount of zero',
    'approved in part': 'authorize > is approved in part, only if that is allowed',
    increments: 'increment > is done once, and approved',
    payouts: 'payout > is done once, and approved',
  },
  'Wallets and tokens': {
    'network tokens': 'instruments > is paid with a network token',
    'opened Apple Pay': 'instruments > is paid with an opened token of Apple Pay',
    'sealed Apple Pay': 'instruments > is paid with the token of Apple Pay',
    'opened Google Pay': 'instruments > is paid with an opened token of Google Pay',
    'Google Pay card numbers': 'instruments > is paid with a card number of Google Pay',
    'sealed Google Pay': 'instruments > is paid with the token of Google Pay',
    'stored at the provider': 'tokenize > gives a token that pays without the buyer, and does not show',
  },
  Captures: {
    later: 'capture > is done once, and approved',
    'in parts': 'authorize > is captured in parts',
    'beyond the amount': 'authorize > is captured beyond its amount',
  },
  Releases: {
    voids: 'void > is done once, and approved',
    'also of the rest': 'authorize > releases the rest that captures left, once',
    'while it is pending': 'cancel > is done once, and approved',
  },
  Refunds: {
    yes: 'refund > is done once, and approved',
    'in parts': 'authorize > is refunded in parts',
  },
  Buyers: {
    'approve at the provider':
      'complete > finishes what the buyer has approved, once, also many times at once',
    '3-D Secure done elsewhere': 'authorize > takes the result of a 3-D Secure authentication elsewhere',
  },
  'How we hear': {
    questions: 'sync > finds the outcome of authorize when its answer was lost',
    messages: 'readNotification > reads a message of the provider, and names its subject',
    'settlement files':
      'reports > parse > says what the file says: a header, lines, and a trailer with their sums',
    'lists of what was done': 'activity > lists an authorization with our ids, and what became of it',
    'keys verified': 'verify > accepts what the provider accepts',
  },
} as const

/** Connectors that do not charge. */
const OTHERS = {
  'balances of gift cards': 'balance > is the balance of the card',
  'gift cards redeemed': 'redeem > is done once, and approved',
  'gift cards refunded': 'refund > is done once, and approved',
  'redemptions reversed': 'reverse > is done once, and approved',
  'payments judged': 'judging > accepts, rejects and asks for a review, also when it is asked again',
  'outcomes told': 'outcomes > are taken, also twice',
  'reviews that end later': 'reviews > are believed from the provider alone',
  'a script that learns about devices':
    'has a script for browsers that learns for one payment, and shows no secret',
  '3-D Secure without a challenge': 'authenticating > that succeeds gives a proof',
  '3-D Secure with a challenge': 'a challenge > that the buyer approves gives a proof',
  'new numbers of cards': 'finds a new number, which is another one, and the same each time',
  'new dates of cards': 'finds a new date, a closed card, and nothing new',
  'network tokens made': 'a token > stands in for the number of a card',
  cryptograms: 'a token > proves each payment by another cryptogram',
  'network tokens deleted': 'a token > proves nothing once it is deleted',
  'network tokens suspended': 'a token > is suspended and resumed',
} as const

/** By connector: the tests of its suite, and whether each passed. A suite that runs twice has to pass twice. */
export type Ran = ReadonlyMap<string, ReadonlyMap<string, boolean>>

if (import.meta.main) {
  const tests = ['connectors', 'sandbox/connectors'].map((folder) => `${folder}/`)
  const { status } = spawnSync('vitest', ['run', '--project', 'service', ...tests, '-t', 'the connector '], {
    stdio: 'inherit',
    env: { ...process.env, CAPABILITY_PAGE: 'write' },
  })
  process.exitCode = status ?? 1
}

/** Compares each suite that a run had with the page. */
export class CapabilityPage implements Reporter {
  #isWhole = true

  onInit({ config }: Vitest): void {
    const { testNamePattern } = config
    this.#isWhole = testNamePattern === undefined || testNamePattern.source === 'the connector '
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // A run that names tests runs parts of suites.
    if (!this.#isWhole) return
    const ran = ranIn(modules.flatMap((module) => [...module.children.allTests()]))
    if (process.env['CAPABILITY_PAGE'] === 'write' && modules.every((module) => module.ok())) {
      writeFileSync(FILE, capabilityPage(ran))
      return
    }
    const wrong = linesMissing(readFileSync(FILE, 'utf8'), ran)
    if (wrong.length === 0) return
    process.exitCode = 1
    process.stderr.write(
      `\n${FILE} is not what the suites ran. Run ${COMMAND}. It should have:\n${wrong.join('\n')}\n`,
    )
  }
}

type Case = { readonly fullName: string; readonly result: () => { readonly state: string } }

export function ranIn(cases: Iterable<Case>): Ran {
  const ran = new Map<string, Map<string, boolean>>()
  for (const one of cases) {
    const [, id = '', title = ''] = /(?:^| > )the connector (\S+) > (.+)$/.exec(one.fullName) ?? []
    if (id === '') continue
    const tests = ran.get(id) ?? new Map<string, boolean>()
    tests.set(title, tests.get(title) !== false && one.result().state === 'passed')
    ran.set(id, tests)
  }
  return ran
}

/** The lines that the page has of these connectors, as they should be if they are not. A connector that is being written has none. */
export function linesMissing(page: string, ran: Ran): readonly string[] {
  const lines = new Set(page.split('\n'))
  const known = [...ran].filter(([id]) => page.includes(`\n| \`${id}\` |`))
  return known.map(([id, tests]) => lineOf(id, tests)).filter((line) => !lines.has(line))
}

export function capabilityPage(ran: Ran): string {
  const sorted = [...ran].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const lines = (isCharging: boolean) =>
    sorted.filter(([, tests]) => charges(tests) === isCharging).map(([id, tests]) => lineOf(id, tests))
  const headings = ['Connector', ...Object.keys(PAYMENTS)]
  return [
    `<!-- Generated by \`${COMMAND}\`. Do not edit: changes made by hand are lost with the next run. -->`,
    '',
    '# Capabilities, as they were tested',
    '',
    'Every connector passes the same suite (`connectors/contract/suite.ts`). This page is made of the tests that ran and passed: a capability without a test is not here. It cannot',
    'lag behind: a run of a suite that shows something else fails, and names the line. What a stand-in cannot show is on the page of the provider.',
    '',
    'The token of a wallet is *opened* by us, with the keys of the merchant account, or *sealed*: the provider opens it, at Stripe as a token of its own.',
    '',
    '## Payments',
    '',
    `| ${headings.join(' | ')} |`,
    `|${'---|'.repeat(headings.length)}`,
    ...lines(true),
    '',
    '## Gift cards, anti-fraud, 3-D Secure, card updates and network tokens',
    '',
    '| Connector | What it does |',
    '|---|---|',
    ...lines(false),
    '',
  ].join('\n')
}

function lineOf(id: string, tests: ReadonlyMap<string, boolean>): string {
  const seen = (words: Readonly<Record<string, string>>) =>
    Object.keys(words)
      .filter((word) => tests.get(words[word] ?? '') === true)
      .join(', ')
  const cells = charges(tests) ? Object.values(PAYMENTS).map(seen) : [seen(OTHERS)]
  return `| \`${id}\` | ${cells.join(' | ')} |`
}

function charges(tests: ReadonlyMap<string, boolean>): boolean {
  return tests.has('authorize > is done once, and approved')
}
