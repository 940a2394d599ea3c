import type { TestService } from './harness.ts'

/**
 * For a request whose provider never answers: it gives up after a moment instead of after the usual time. A request that
 * also asks a provider who is to answer may not be passed: on a busy machine that one would be given up as well.
 */
export function givingUp<Result>(service: TestService, work: () => Promise<Result>): Promise<Result> {
  return waitingOnly(service, 100, work)
}

/** Uses this timeout for providers only while the work lasts. */
export async function waitingOnly<Result>(
  { providers }: Pick<TestService, 'providers'>,
  ms: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const { timeoutMs } = providers
  Object.assign(providers, { timeoutMs: ms })
  try {
    return await work()
  } finally {
    Object.assign(providers, { timeoutMs })
  }
}
