import type { Lever } from '#connectors/contract/simulation.ts'
import type { SandboxNextOutcome } from './schemas.ts'

export function showLever(paymentServiceId: string, lever: Lever): SandboxNextOutcome {
  const { id, operation, effect, code, armedAt } = lever
  return {
    type: 'sandbox-next-outcome',
    id,
    payment_service_id: paymentServiceId,
    operation,
    effect,
    code,
    armed_at: armedAt.toISOString(),
  }
}
