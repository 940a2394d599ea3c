import type { Logger } from './log.ts'

/**
 * A promise that fails while no code waits for it would end the process, and with it the payments of all other requests: a connector that
 * asks its provider twice at once and waits for one answer alone would stop the service when the provider is away. What is written is in
 * the database, so the process goes on, and says where it happened. The message is left out: it may repeat what was sent.
 */
export function outliveLostPromises(logger: Logger): () => Promise<void> {
  const tell = (reason: unknown) => logger.error(placeOf(reason), 'a promise failed that no code waited for')
  process.on('unhandledRejection', tell)
  return async () => void process.off('unhandledRejection', tell)
}

function placeOf(reason: unknown): object {
  if (!(reason instanceof Error)) return { type: typeof reason }
  const frames = (reason.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { type: reason.name, stack: frames.join('\n') }
}
