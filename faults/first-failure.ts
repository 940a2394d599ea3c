import fc from 'fast-check'

type Cases = { readonly seed: number; readonly numRuns: number; readonly shrinkingMsMax: number }

/** The first case that fails, made smaller. That ends after a while: it need not be the smallest. */
export async function firstFailure<Value>(
  property: fc.IAsyncProperty<Value>,
  { shrinkingMsMax, ...cases }: Cases,
): Promise<{ readonly counterexample: Value | null; readonly reason: string } | undefined> {
  const result = await fc.check(property, { ...cases, endOnFailure: true })
  if (!result.failed) return undefined
  const smaller = await fc.check(property, {
    ...cases,
    path: String(result.counterexamplePath),
    interruptAfterTimeLimit: shrinkingMsMax,
    markInterruptAsFailure: true,
  })
  const { counterexample, errorInstance } = smaller.counterexample ? smaller : result
  return {
    counterexample,
    reason: errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
  }
}
