import type { Providers } from '#processing/provider.ts'
import { ADVICE, LIMITS, type Limit } from '#processing/scheme-rules.ts'
import type { RetryPolicy } from './schemas.ts'
import type { StoredPolicy } from './store.ts'

type Place = Pick<Providers, 'environment'>

/** The limits that apply. Sandboxes have none until a merchant sets some: all tests share a few cards. */
export function limitsFor(
  policy: Pick<StoredPolicy, 'limits'> | null | undefined,
  { environment }: Place,
): readonly Limit[] {
  return policy?.limits ?? (environment === 'sandbox' ? [] : LIMITS)
}

export function showPolicy(policy: StoredPolicy | undefined, place: Place): RetryPolicy {
  return {
    type: 'retry-policy',
    mode: policy?.mode ?? 'obey',
    limits: [...limitsFor(policy, place)],
    scheme_limits: [...LIMITS],
    scheme_advice: ADVICE.map(({ kind, code, scheme, action, hours, meaning }) => ({
      kind,
      code,
      scheme,
      action,
      retry_after_hours: hours,
      meaning,
    })),
    updated_at: policy?.updated_at.toISOString() ?? null,
  }
}
