import { expect, test } from 'vitest'
import { readConfig, secretsIn } from './config.ts'

test('knows the password of every database, in the spelling of its URL and as it is', () => {
  const config = readConfig({
    DATABASE_URL: 'postgresql://shop:first%2Fword@10.0.0.1:5432,10.0.0.2:5432/payments',
    READ_DATABASE_URL: 'postgresql://shop:second-word@10.0.0.3/payments',
    ANALYTICS_DATABASE_URL: 'postgresql://shop:third-word@10.0.0.4/payments',
  })

  expect(secretsIn(config)).toEqual(
    expect.arrayContaining(['first%2Fword', 'first/word', 'second-word', 'third-word']),
  )
})
