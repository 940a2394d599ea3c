import { expect, test } from 'vitest'
import { prefixesOf } from './bin-prefix.ts'

test.each([
  ['411111', '411111', ['411111']],
  ['411110', '411119', ['41111']],
  ['411111', '411112', ['411111', '411112']],
  ['400000', '499999', ['4']],
  ['411198', '411201', ['411198', '411199', '411200', '411201']],
  [
    '222100',
    '272099',
    ['2221', '2222', '2223', '2224', '2225', '2226', '2227', '2228', '2229', '223'].concat([
      '224',
      '225',
      '226',
      '227',
      '228',
      '229',
      '23',
      '24',
      '25',
      '26',
      '270',
      '271',
      '2720',
    ]),
  ],
])('%s to %s', (from, to, prefixes) => {
  expect(prefixesOf(from, to)).toEqual(prefixes)
})

test('prefixes cover exactly their range, once, and few are needed', () => {
  for (let round = 0; round < 30; round += 1) {
    const [low = 0, high = 0] = [Math.random(), Math.random()]
      .map((chance) => Math.floor(chance * 10_000))
      .toSorted((a, b) => a - b)
    const prefixes = prefixesOf(pad(low), pad(high))

    for (let value = 0; value < 10_000; value += 1) {
      const covers = prefixes.filter((prefix) => pad(value).startsWith(prefix))
      if (covers.length !== Number(value >= low && value <= high)) {
        expect.fail(`${pad(low)}-${pad(high)} at ${pad(value)}: ${covers}`)
      }
    }
    expect(prefixes.length).toBeLessThanOrEqual(4 * 18)
  }
})

test('even the oddest range of eleven digits needs few prefixes', () => {
  expect(prefixesOf('00000000001', '99999999998').length).toBeLessThan(200)
})

function pad(value: number): string {
  return String(value).padStart(4, '0')
}
