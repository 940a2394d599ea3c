import {
  type AccountUpdaterConnector,
  type CardUpdateAnswer,
  UPDATER_SCHEMES,
} from '#connectors/contract/account-updater.ts'
import { secret } from '#connectors/contract/secret.ts'

/**
 * The sandbox's account updater. The ninth to twelfth digit of a number decide, so that every outcome can be
 * tested: 0001 a new number, 0002 a new date, 0003 a closed account, 0004 no answer. All others are
 * unchanged.
 */
export const mockAccountUpdater: AccountUpdaterConnector = {
  manifest: {
    id: 'mock-account-updater',
    displayName: 'Mock account updater',
    fields: [],
    isSimulator: true,
  },
  schemes: UPDATER_SCHEMES,
  findUpdate: async ({ number, expirationDate }) =>
    number.use((bytes) => find(bytes.toString(), expirationDate)),
}

function find(number: string, expirationDate: string): CardUpdateAnswer {
  switch (number.slice(8, 12)) {
    case '0001':
      return {
        outcome: 'new_number',
        number: secret(successorOf(number)),
        expirationDate: later(expirationDate),
      }
    case '0002':
      return { outcome: 'new_date', expirationDate: later(expirationDate) }
    case '0003':
      return { outcome: 'closed' }
    case '0004':
      return { outcome: 'unknown', reason: 'the simulator gives no answer about this card' }
    default:
      return { outcome: 'unchanged' }
  }
}

/** The same start, then 9999 and a valid check digit. It stays unchanged when asked about again. */
function successorOf(number: string): string {
  const start = `${number.slice(0, 8)}9999${number.slice(12, -1)}`
  const sum = [...start].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${start}${(10 - (sum % 10)) % 10}`
}

function later(expirationDate: string): string {
  const [month = '', year = ''] = expirationDate.split('/')
  // Two-digit years end at 49; see `parseExpiration`.
  return `${month}/${String(Math.min(49, Number(year) + 4)).padStart(2, '0')}`
}
