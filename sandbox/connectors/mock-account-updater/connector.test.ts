import { describeAccountUpdaterConnector } from '#connectors/contract/account-updater-suite.ts'
import { testLink } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { mockAccountUpdater } from './connector.ts'

const NUMBERS = {
  new_number: '4111111100011116',
  new_date: '4111111100021115',
  closed: '4111111100031114',
  unchanged: '4111111111111111',
}

describeAccountUpdaterConnector(mockAccountUpdater, async () => ({
  link: testLink({ fetch: () => Promise.reject(new Error('it asks nobody')) }),
  cardFor: (outcome) => ({ number: secret(NUMBERS[outcome]), scheme: 'visa' }),
}))
