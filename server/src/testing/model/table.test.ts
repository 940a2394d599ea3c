import { expect, test } from 'vitest'
import * as state from '#payments/state.ts'
import { everyMove, isOfState, type Made } from './every-move.ts'
import { MACHINES, machine } from './table.ts'

const nameOf = ({ by, from, to }: Made) => `${by}: ${from} → ${to}`

test('state.ts makes the moves of the table, all of them and no others', () => {
  const { moves, histories } = everyMove()

  const table = machine('payment').moves.filter(isOfState)
  expect(new Set(moves.map(nameOf))).toEqual(new Set(table.map(nameOf)))
  expect(histories.length).toBeGreaterThan(5_000)

  // The rules of the table `transactions`, and what no captured cent may be without.
  const broken = histories.filter(({ money, captures, refunds }) => {
    const held = state.collectedOf(money) + money.capturing_amount + money.released_amount
    const sum = (parts: typeof captures, is: string) =>
      parts.reduce((total, part) => total + (part.is === is ? part.amount : 0), 0)
    return (
      held > money.capture_limit ||
      money.refunded_amount + money.refunding_amount > money.captured_amount ||
      money.uncollected_amount < 0 ||
      money.uncollected_amount > money.refunded_amount + money.refunding_amount ||
      money.capturing_amount !== sum(captures, 'asked') ||
      money.refunding_amount !== sum(refunds, 'asked') ||
      money.refunded_amount !== sum(refunds, 'done') ||
      (money.capturing_amount > 0 && !state.isCapturing(money)) ||
      ((state.isVoided(money) || state.isVoiding(money)) &&
        money.captured_amount + money.capturing_amount > 0)
    )
  })
  expect(broken.slice(0, 3)).toEqual([])
})

test.each(MACHINES)(
  'the table of a $name names each move once, and each state is come to',
  ({ states, moves }) => {
    const names = moves.map(nameOf)
    const places = moves.flatMap(({ from, to }) => [from, to]).filter((place) => place !== null)

    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
    expect(new Set(places)).toEqual(new Set(Object.keys(states)))
  },
)
