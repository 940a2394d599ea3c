import type { SandboxFill } from './schemas.ts'
import type { StoredFill } from './store.ts'

export function showFill({ begun_at, ended_at, made, refusals, ...fill }: StoredFill): SandboxFill {
  return {
    type: 'sandbox-fill',
    ...fill,
    made: { ...made },
    refusals: [...refusals],
    begun_at: begun_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  }
}
