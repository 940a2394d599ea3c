import { expect, test } from 'vitest'
import { resourceText } from './words.ts'

test('resources have the names of the navigation', () => {
  expect(['anti-fraud-services', 'flows', 'api-logs', 'gift-cards'].map(resourceText)).toEqual([
    'Anti-fraud services',
    'Routing',
    'Request log',
    'Gift cards',
  ])
})
