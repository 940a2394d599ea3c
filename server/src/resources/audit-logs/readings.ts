import type { Context } from '#platform/database/db.ts'
import type { Reading } from '#platform/observability/readings.ts'
import { unsealed } from './store.ts'

const AGE = 'switchyard_audit_unsealed_seconds'

export const auditLogReading: Reading<{ readonly context: Context }> = {
  name: 'audit',
  gauges: [
    { name: AGE, help: 'How long the oldest entry of the audit log waits for its seal; 0: none waits' },
  ],
  read: async ({ context }) => {
    const [oldest] = await unsealed(context, 1)
    const ageMs = oldest ? context.clock().getTime() - oldest.created_at.getTime() : 0
    return [{ gauge: AGE, value: Math.max(0, ageMs) / 1000 }]
  },
}
