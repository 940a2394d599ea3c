import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ARCHIVE, CORRECTION, MACHINES, type Machine, type Move } from '../server/src/testing/model/table.ts'
import { draw, type Layout, withArticle } from './model-drawing.ts'

/** Which machines have a picture. The others are read faster as a table. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  payment: {
    places: {
      processing: [0, 0],
      buyer_approval_pending: [1, 0],
      authorization_declined: [2, 1],
      authorization_succeeded: [1, 1],
      capture_pending: [0, 2],
      authorization_void_pending: [1, 2],
      capture_succeeded: [0, 3],
      authorization_voided: [1, 3],
      authorization_failed: [2, 3],
    },
    together: ['processing', 'buyer_approval_pending'],
    bends: {
      '(all) authorization_failed': -150,
      '(all) capture_succeeded': 68,
      'authorization_succeeded authorization_voided': -84,
      'capture_succeeded authorization_failed': -28,
    },
  },
  attempt: {
    places: {
      queued: [0, 0],
      sent: [1, 0],
      unknown: [0, 1],
      pending: [1, 1],
      approved: [2, 0],
      declined: [2, 1],
      failed: [2, 2],
    },
    together: ['queued', 'sent', 'unknown', 'pending'],
    bends: { 'failed approved': 80 },
  },
  key: {
    places: {
      claimed: [0, 0],
      begun: [1, 0],
      answered: [1, 1],
      'answered with a secret': [0, 1],
    },
    together: ['claimed', 'begun'],
    bends: {},
  },
}

const RESTS = { moves: 'something is under way', rests: 'may stay so', ends: 'the end' } as const

/** The page and its pictures, by their paths. `node tools/model-page.ts` writes them. */
export function modelFiles(): Map<string, string> {
  const pictures = MACHINES.flatMap((machine): [string, string][] => {
    const layout = LAYOUTS[machine.name]
    return layout ? [[`docs/images/model-${machine.name}.svg`, draw(machine, layout)]] : []
  })
  return new Map([['docs/model.md', page()], ...pictures])
}

function page(): string {
  return `${[HEAD, ...MACHINES.map(chapter), TAIL].join('\n\n')}\n`
}

const HEAD = `# The model

Every state of a payment, of an attempt, of an idempotency key and of their leases, and every move between them. What is not here does not
happen: [tests hold the code to it](#how-it-is-held-against-the-code). \`tools/model-page.ts\` writes this page from
\`server/src/testing/model/table.ts\`.

In the pictures something is under way in what is yellow, what is green may stay so for long, and grey is the end. A dot is where it may
begin. From a dashed frame an arrow leads from each state in it. How payments are run is in the [architecture](architecture.md#the-life-of-a-payment), and
why in [the payment engine](decisions/payment-engine.md) and [idempotency](decisions/idempotency.md).`

const TAIL = `## How it is held against the code

- **\`state.ts\` makes these moves and no others.** \`table.test.ts\` goes through every history of a payment of two cents, with two captures and two
  refunds that are approved, refused or fail late in any order, and compares what it finds with the table, from both sides. It also
  looks for amounts that do not add up.
- **Each other row is made by a service.** \`moves.test.ts\` makes it: each act, each correction, each answer to an attempt in each state, each
  step of a key.
- **Every test watches for a move that is not here.** In the databases of the tests, triggers refuse it with an error that names it, also
  where the request that did it would hide the error (\`guard.ts\`). Databases in use have no such triggers, and pay nothing.
- **So does every schedule of the explorer** ([promise 21](reliability.md)), which also asks that nothing is left in a state where something is
  under way. Short forms of the other fault programs that compare books report such moves, too.`

function chapter(machine: Machine): string {
  const { name, about, states, moves } = machine
  const title = name === 'key' ? 'an idempotency key' : withArticle(name)
  const picture = LAYOUTS[name]
    ? [`![The states of ${withArticle(name)} and the moves between them](images/model-${name}.svg)`]
    : []
  const usual = moves.filter(({ by }) => by !== CORRECTION)
  const changes = usual.filter(({ from, to }) => from !== to || name !== 'payment')
  const within = usual.filter((move) => !changes.includes(move))
  return [
    `## ${title.replace('a lease', 'the lease').replace(/^./, (letter) => letter.toUpperCase())}`,
    about,
    ...picture,
    table(
      ['State', 'What it means', 'So'],
      Object.entries(states).map(([state, { means, rest }]) => [`\`${state}\``, means, RESTS[rest]]),
    ),
    table(['From', 'To', 'By', 'Why'], rowsOf(changes)),
    ...(within.length > 0
      ? [
          'Amounts move, and the status stays:',
          table(
            ['In', 'By', 'What moves'],
            rowsOf(within).map(([from = '', , by = '', why = '']) => [from, by, why]),
          ),
        ]
      : []),
  ].join('\n\n')
}

/** Moves with the same cause and the same reason are one row. */
function rowsOf(moves: readonly Move[]): string[][] {
  const groups = Map.groupBy(moves, ({ by, why, from, to }) => `${by} ${why} ${from === to}`)
  return [...groups.values()].map((group) => {
    const [first] = group
    const by = first?.by === ARCHIVE ? 'an archive' : (first?.by ?? '')
    return [places(group.map(({ from }) => from)), places(group.map(({ to }) => to)), by, first?.why ?? '']
  })
}

function places(names: readonly (string | null)[]): string {
  return [...new Set(names)].map((name) => (name === null ? 'nothing' : `\`${name}\``)).join(', ')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of modelFiles()) writeFileSync(path, text)
}
