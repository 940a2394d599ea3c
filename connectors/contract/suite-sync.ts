import { expect, test } from 'vitest'
import type { Inquiry } from './orders.ts'
import type { Attempted, Stage } from './suite-stage.ts'
import { LOST_ANSWER, TROUBLES } from './suite-troubles.ts'

export function describeSync(stage: Stage): void {
  const { recovery } = stage.connector.manifest
  const sync = async (attempt: Attempted, link = stage.bench.link) => {
    const answer = await stage.connector.sync?.(stage.inquiry(attempt, null), link)
    if (!answer) throw new Error('the connector has no sync')
    return answer
  }

  test.each(stage.operations)('finds the outcome of %s when its answer was lost', async (operation) => {
    const attempt = await stage.prepare(operation)
    await attempt.ask(stage.linkWhere('money', LOST_ANSWER))

    const answer = await stage.finished(attempt, await sync(attempt))

    expect(answer.outcome).toBe('approved')
    expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(1)
  })

  test.each(stage.operations)(
    'promises no more than it can about a %s that never arrived',
    async (operation) => {
      const attempt = await stage.prepare(operation)

      const answer = await sync(attempt)

      if (recovery.by === 'replay') {
        await stage.finished(attempt, await attempt.ask())
        expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(1)
        return
      }
      expect(['not_found', 'unknown']).toContain(answer.outcome)
      if (answer.outcome !== 'not_found') return
      expect((await attempt.ask()).outcome).not.toBe('approved')
      expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(0)
    },
  )

  test.each(Object.entries(TROUBLES))('is unknown after %s', async (_name, trouble) => {
    const [operation = 'authorize'] = stage.operations
    const attempt = await stage.prepare(operation)
    await attempt.ask()

    const answer = await sync(attempt, stage.linkWith(trouble))

    expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
  })

  if (recovery.by === 'replay') {
    test.each(stage.operations)(
      'takes no refusal of our credentials for the end of a %s that came before',
      async (operation) => {
        const attempt = await stage.prepare(operation)
        await attempt.ask()

        const { outcome } = await sync(attempt, stage.lockedOut())

        expect(['declined', 'failed', 'not_found']).not.toContain(outcome)
      },
    )

    const without = (attempt: Attempted) => ({ ...stage.inquiry(attempt, null), order: null }) as Inquiry

    if (recovery.alsoLooksUp) {
      // The server deletes a token again, however late.
      const operations = stage.operations.filter((operation) => operation !== 'forgetToken')
      test.each(operations)('finds %s also without its order', async (operation) => {
        const attempt = await stage.prepare(operation)
        await attempt.ask(stage.linkWhere('money', LOST_ANSWER))

        const answer = await stage.connector.sync?.(without(attempt), stage.bench.link)

        expect(answer && (await stage.finished(attempt, answer)).outcome).toBe('approved')
        expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(1)
      })

      test.each(stage.operations)('carries out no %s without its order', async (operation) => {
        const attempt = await stage.prepare(operation)

        const answer = await stage.connector.sync?.(without(attempt), stage.bench.link)

        expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
        expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(0)
      })
      return
    }

    test('is unknown about an attempt whose order the server no longer has', async () => {
      const attempt = await stage.prepare('authorize')
      await attempt.ask()

      const answer = await stage.connector.sync?.(without(attempt), stage.bench.link)

      expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
    })
  }
}
