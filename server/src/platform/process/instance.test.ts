import { expect, test } from 'vitest'
import { startTestService } from '#testing/harness.ts'
import { secretsFrom } from '../access/secrets.ts'
import { claimInstance } from './instance.ts'

test('a database belongs to one environment and one secret', async () => {
  const service = await startTestService()
  const { context, secrets } = service

  expect(await claimInstance(context, 'sandbox', secrets)).toBe(false)
  await expect(claimInstance(context, 'production', secrets)).rejects.toThrow(
    /ENVIRONMENT is production, and this database belongs to a sandbox/,
  )
  await expect(claimInstance(context, 'sandbox', secretsFrom(Buffer.alloc(32)))).rejects.toThrow(
    /SECRET_KEY is not the one/,
  )
  await service.close()
})
