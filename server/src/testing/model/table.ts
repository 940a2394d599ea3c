import type { Attempt } from '#processing/attempts/store.ts'
import { STATUSES, type Status } from '#resources/transactions/wire/transaction.ts'

/*
 * The states and moves of payments, attempts, idempotency keys and leases. Nothing of it runs in a service. Tests hold it against the
 * code from both sides: what the code can do is here (`guard.ts` refuses other moves in every database of the tests, and in the
 * explorer), and what is here the code does (`table.test.ts`). `tools/model-page.ts` draws it in docs/model.md.
 */

/** `moves`: something is under way, and somebody goes on with it. `rests`: it may stay so for long. `ends`: nothing is expected any more. */
type Rest = 'moves' | 'rests' | 'ends'

type State = { readonly rest: Rest; readonly means: string }

export type Move = {
  /** Null: there was nothing before. */
  readonly from: string | null
  /** Null: the row is deleted. */
  readonly to: string | null
  readonly by: string
  readonly why: string
}

export type Machine = {
  readonly name: string
  readonly about: string
  readonly states: Readonly<Record<string, State>>
  readonly moves: readonly Move[]
}

/** The merchant says what was done elsewhere. It may set a payment to anything but waiting. */
export const CORRECTION = 'correction'
/** An archive takes rows out of the database, and gives them back as they were. */
export const ARCHIVE = 'archive'

type Place<Name> = Name | null | readonly Name[]

/** Each place of `from` leads to each of `to`. */
function moves<Name extends string>(
  ...groups: readonly (readonly [from: Place<Name>, to: Place<Name>, by: string, why: string])[]
): Move[] {
  const all = (place: Place<Name>) => [place].flat() as (Name | null)[]
  return groups.flatMap(([from, to, by, why]) =>
    all(from).flatMap((one) => all(to).map((other) => ({ from: one, to: other, by, why }))),
  )
}

/** The same place, before and after: what moves is an amount. */
function within<Name extends string>(places: readonly Name[], by: string, why: string): Move[] {
  return places.map((place) => ({ from: place, to: place, by, why }))
}

const WAITING = ['processing', 'buyer_approval_pending'] as const
const TAKING = ['capture_pending', 'capture_succeeded'] as const
const AT_REST = [
  'authorization_succeeded',
  'authorization_declined',
  'authorization_failed',
  'authorization_voided',
  'capture_succeeded',
] as const
const UNHELD = ['authorization_void_pending', 'authorization_voided', 'authorization_failed'] as const
const UNDONE = ['authorization_succeeded', 'authorization_failed', 'authorization_voided'] as const

const PAYMENT_STATES: Readonly<Record<Status, State>> = {
  processing: {
    rest: 'moves',
    means: 'A service is asked for the money, or gift cards are. The outcome is not known.',
  },
  buyer_approval_pending: {
    rest: 'moves',
    means: 'The buyer has to approve, and has some minutes for it.',
  },
  authorization_succeeded: { rest: 'rests', means: 'The money is held, for a week at most.' },
  authorization_declined: { rest: 'ends', means: 'Refused by a bank, or by our rules. No money is held.' },
  authorization_failed: { rest: 'ends', means: 'It came to nothing otherwise. No money is held.' },
  authorization_void_pending: { rest: 'moves', means: 'The provider is asked to release the money.' },
  authorization_voided: { rest: 'ends', means: 'The money was released.' },
  capture_pending: { rest: 'moves', means: 'The provider is asked to take money.' },
  capture_succeeded: { rest: 'rests', means: 'Money is taken, all of it or a part.' },
}

const PAYMENT: Machine = {
  name: 'payment',
  about:
    'The status of a payment (`transactions.status`). Refunds and increments move amounts and no status. Who corrects a payment by hand ' +
    '(`PUT /transactions/:id`) may set it to any status but the two that wait.',
  states: PAYMENT_STATES,
  moves: [
    ...moves<Status>(
      [null, 'processing', 'pay', 'Recorded with its first attempt, before a service is asked.'],
      [
        null,
        'buyer_approval_pending',
        'pay',
        'The issuer wants the buyer to approve. No service knows of it.',
      ],
      [null, ['authorization_declined', 'authorization_failed'], 'pay', 'Refused before anybody was asked.'],
      [
        'processing',
        'buyer_approval_pending',
        'buyer asked',
        'The provider or the issuer wants an approval.',
      ],
      [
        'buyer_approval_pending',
        'processing',
        'buyer approved',
        'A service is asked, with the proof. Or the buyer has permitted a debit, and the bank pays later.',
      ],
      [
        'buyer_approval_pending',
        'authorization_failed',
        'approval ended',
        'The buyer refused or came too late, and no provider can still take the money.',
      ],
      [WAITING, 'authorization_succeeded', 'authorization approved', 'The provider holds the money.'],
      [WAITING, 'capture_pending', 'authorization approved', 'Held, and to be taken at once: it is queued.'],
      [WAITING, 'capture_succeeded', 'authorization approved', 'Taken in one step.'],
      [
        WAITING,
        'authorization_declined',
        'authorization declined',
        'No service takes it. The last was a bank that declined.',
      ],
      [
        WAITING,
        'authorization_failed',
        'authorization failed',
        'No service takes it, or the provider never saw it.',
      ],
      [WAITING, 'authorization_failed', 'cancel approved', 'The provider will not take the money any more.'],
      [
        'buyer_approval_pending',
        'processing',
        'gift cards asked',
        'The method has paid its part. Now gift cards pay theirs.',
      ],
      [
        'processing',
        ['authorization_succeeded', 'capture_pending', 'capture_succeeded'],
        'gift cards redeemed',
        'All have paid: the payment gets the status that it would have without them.',
      ],
      [
        'processing',
        'authorization_failed',
        'gift card refused',
        'All else is given back: that is queued in the same commit.',
      ],
      [
        'authorization_succeeded',
        'capture_pending',
        'review accepted',
        'The money that was held for the review is taken.',
      ],
      [
        'authorization_succeeded',
        'capture_succeeded',
        'gift cards kept',
        'Gift cards alone have paid. No provider is asked.',
      ],
      [
        'authorization_succeeded',
        'capture_pending',
        'capture asked',
        'Counted before the provider is asked.',
      ],
      ['capture_succeeded', 'capture_pending', 'capture asked', 'One more, unless the last was final.'],
      ['capture_pending', 'capture_succeeded', 'capture approved', 'No other capture is on its way.'],
      ['capture_pending', 'capture_succeeded', 'capture refused', 'An earlier capture has taken money.'],
      ['capture_pending', 'authorization_succeeded', 'capture refused', 'Back to what it was.'],
      [
        'capture_pending',
        'authorization_failed',
        'capture refused',
        'With the intent to capture there is nothing to go back to.',
      ],
      [
        'authorization_succeeded',
        'authorization_void_pending',
        'void asked',
        'By the merchant, after a week, or because a reviewer rejects the payment.',
      ],
      [
        'authorization_void_pending',
        'authorization_voided',
        'void approved',
        'The provider has released the money.',
      ],
      ['authorization_void_pending', 'authorization_succeeded', 'void refused', 'The money is still held.'],
      [
        ['authorization_succeeded', 'authorization_void_pending'],
        'authorization_voided',
        'hold ended',
        'Cancelled by the provider, lapsed after a month, or held by no provider.',
      ],
      [
        'capture_succeeded',
        UNDONE,
        'capture failed late',
        'Nothing is captured any more, as after a returned debit.',
      ],
      [
        'capture_succeeded',
        UNDONE,
        'refund refused',
        'Its capture had failed, and only this refund kept it.',
      ],
      [
        'capture_succeeded',
        UNDONE,
        'refund failed late',
        'Its capture had failed, and only this refund kept it.',
      ],
    ),
    ...within(['capture_pending'], 'capture asked', 'Another one beside it: their sum has to fit.'),
    ...within(['capture_pending'], 'capture approved', 'Another one is still on its way.'),
    ...within(['capture_pending'], 'capture refused', 'Another one is still on its way.'),
    ...within(
      ['capture_succeeded', ...UNDONE],
      'capture approved',
      'A capture of nothing, which another answer has overtaken.',
    ),
    ...within(
      ['capture_succeeded', ...UNDONE],
      'capture refused',
      'A capture of nothing, which another answer has overtaken.',
    ),
    ...within(UNDONE, 'capture failed late', 'A capture of nothing.'),
    ...within(
      ['capture_succeeded', 'authorization_failed'],
      'release refused',
      'What captures have left is held as before.',
    ),
    ...within(['authorization_succeeded'], 'increment approved', 'More is held.'),
    ...within(
      [...TAKING, ...UNHELD],
      'increment approved',
      'More was held: it was asked before all that followed.',
    ),
    ...within(TAKING, 'refund approved', 'The buyer has the money back.'),
    ...within(TAKING, 'refund refused', 'What was counted as on its way can be refunded again.'),
    ...within(TAKING, 'refund failed late', 'What counted as refunded can be refunded again.'),
    ...within(TAKING, 'capture failed late', 'Other captures have taken money, or a refund keeps this one.'),
    ...moves<Status>(
      ...STATUSES.map(
        (from) =>
          [
            from,
            STATUSES.filter((to) => to !== from && !(WAITING as readonly Status[]).includes(to)),
            CORRECTION,
            'The merchant knows it from the provider. Nobody is asked.',
          ] as const,
      ),
      [AT_REST, null, ARCHIVE, 'Archived, with all that belongs to it.'],
      [null, AT_REST, ARCHIVE, 'Brought back from an archive.'],
    ),
  ],
}

type AttemptState = Attempt['state']

const OPEN = ['queued', 'sent', 'unknown', 'pending'] as const
const DECIDED = ['approved', 'declined', 'failed'] as const

const ATTEMPT_STATES: Readonly<Record<AttemptState, State>> = {
  queued: { rest: 'moves', means: 'To be sent, by this request or by the job.' },
  sent: { rest: 'moves', means: 'The provider is being asked. It is recorded before that.' },
  unknown: { rest: 'moves', means: 'No answer that could be read. The provider is asked what became of it.' },
  pending: { rest: 'moves', means: 'The provider has it, and has not decided.' },
  approved: { rest: 'ends', means: 'Done.' },
  declined: { rest: 'ends', means: 'Refused by a bank: it was not done.' },
  failed: { rest: 'ends', means: 'Not done otherwise, or never seen by the provider.' },
}

const ATTEMPT: Machine = {
  name: 'attempt',
  about:
    'What is asked of a provider (`attempts.state`): its id is the provider’s key, so that asking again does nothing twice. An attempt is ' +
    'decided once. `unknown` is no failure: it is asked about until the provider has said what became of it.',
  states: ATTEMPT_STATES,
  moves: moves<AttemptState>(
    [null, 'sent', 'recorded', 'In the first commit. Then the provider is asked, with no transaction open.'],
    [null, 'queued', 'recorded', 'Something else has to be committed, or answered, before it is sent.'],
    [
      ['queued', 'sent', 'unknown'],
      'pending',
      'answered',
      'The provider works on it, or waits for the buyer.',
    ],
    [['queued', 'sent', 'pending'], 'unknown', 'not answered', 'Lost, late or unreadable.'],
    [OPEN, DECIDED, 'answered', 'At once, by a notification, or to an inquiry: it is the same commit.'],
    [
      ['declined', 'failed'],
      'approved',
      'approved after all',
      'Only where nothing else can follow: a payout, a token, a sale that its provider has returned.',
    ],
    [DECIDED, null, ARCHIVE, 'Archived with its payment.'],
    [null, DECIDED, ARCHIVE, 'Brought back with it.'],
  ),
}

const KEY: Machine = {
  name: 'key',
  about:
    'An idempotency key (`idempotency_keys`): its owner, method and path are part of it. What was begun is never forgotten, and an ' +
    'answer never changes.',
  states: {
    claimed: { rest: 'moves', means: 'A request has the key. It has committed nothing yet.' },
    begun: {
      rest: 'moves',
      means: 'It has committed something, which is named. Whoever repeats the request goes on with that.',
    },
    'answered with a secret': {
      rest: 'rests',
      means: 'Its answer is stored, and for ten minutes so is a secret that is shown once.',
    },
    answered: { rest: 'rests', means: 'Its answer is stored, and given to whoever repeats it.' },
  },
  moves: moves(
    [null, 'claimed', 'claim', 'In a commit of its own, before anything outside of the database is asked.'],
    [null, 'begun', 'claim', 'With the first commit of the work.'],
    [null, ['answered', 'answered with a secret'], 'claim', 'With the only commit of the work.'],
    ['claimed', 'begun', 'begin', 'Part of the first commit.'],
    ['begun', 'begun', 'go on', 'It names what was begun since, where one request does several things.'],
    [
      ['claimed', 'begun'],
      ['answered', 'answered with a secret'],
      'answer',
      'Part of the commit that decides the answer.',
    ],
    ['answered with a secret', 'answered', 'time over', 'The answer without its secret takes its place.'],
    ['claimed', null, 'forget', 'The request failed, and has changed nothing: its key is free again.'],
    [['begun', 'answered', 'answered with a secret'], null, 'purge', 'Three days have passed.'],
  ),
}

const KEY_LEASE: Machine = {
  name: 'lease of a key',
  about:
    'Who may work on an unanswered key (`fence`, `leased_until`). A lease ends by itself after a minute. Who takes over writes a fence of ' +
    'its own, and then the former owner can write nothing more.',
  states: {
    held: { rest: 'moves', means: 'By the request whose fence is in the row.' },
    ended: { rest: 'moves', means: 'The time is over. The next request with the key takes it over.' },
    over: { rest: 'ends', means: 'The key is answered.' },
  },
  moves: moves(
    [null, 'held', 'claim', 'By a fence that no other claim has.'],
    [null, 'over', 'claim', 'Claimed and answered in one commit.'],
    [
      'held',
      'ended',
      'release',
      'The request is over without an answer that could be stored: nobody has to wait.',
    ],
    ['ended', 'held', 'take over', 'By another fence, and only when the time is over.'],
    [
      'held',
      'over',
      'answer',
      'By the fence that is in the row, also when the time is over and nobody has taken over.',
    ],
    [['held', 'over'], null, 'forget', 'With its key.'],
  ),
}

const ATTEMPT_LEASE: Machine = {
  name: 'lease of an attempt',
  about:
    'From when on any process may go on with an open attempt (`due_at`): for one that is asked, the time at which its process counts as ' +
    'dead; for one that waits, the next inquiry.',
  states: {
    held: {
      rest: 'moves',
      means: 'Left to the process that asks, or to wait, until `due_at`. Then any process takes it.',
    },
    over: { rest: 'ends', means: 'The attempt is decided. Nobody takes it any more.' },
  },
  moves: moves(
    [null, 'held', 'recorded', 'For longer than the provider may take to answer.'],
    [
      'held',
      'held',
      'taken',
      'By one process, which puts it off for as long as it may need. Never to an earlier time, but by an answer.',
    ],
    ['held', 'over', 'decided', 'In the commit that decides the attempt.'],
    ['over', null, ARCHIVE, 'Archived with its payment.'],
    [null, 'over', ARCHIVE, 'Brought back with it.'],
  ),
}

export const MACHINES: readonly Machine[] = [PAYMENT, ATTEMPT, KEY, KEY_LEASE, ATTEMPT_LEASE]

export function machine(name: string): Machine {
  const found = MACHINES.find((one) => one.name === name)
  if (!found) throw new Error(`there is no machine of the name ${name}`)
  return found
}

/** The states in which something is still under way. */
export function movingStatesOf({ states }: Machine): string[] {
  return Object.entries(states).flatMap(([name, { rest }]) => (rest === 'moves' ? [name] : []))
}
