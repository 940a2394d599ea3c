import { afterAll, beforeAll } from 'vitest'
import { describeNetworkTokenConnector } from '#connectors/contract/network-token-suite.ts'
import { testLink } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { readWhole } from '#processing/provider.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { mockNetworkToken } from './connector.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

describeNetworkTokenConnector(mockNetworkToken, async () => ({
  link: testLink({ fetch: async (url, init) => readWhole(await service.providers.fetch(url, init)) }),
  cardFor: (outcome) => ({
    number: secret(outcome === 'active' ? '4111111111111111' : '4111111100211112'),
    scheme: 'visa',
    expirationDate: '12/40',
  }),
  requestor: { scheme: 'visa', requestorId: 'shop-requestor', appId: 'shop-app' },
}))
