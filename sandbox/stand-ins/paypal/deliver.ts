import type { Events } from './events.ts'

/**
 * Sends every webhook its next events, in order. An event that is not taken with a status of 2xx stays, and is sent again
 * with the next one; PayPal tries up to 25 times in three days.
 */
export async function deliver(events: Events): Promise<void> {
  for (const webhook of events.webhooks.values()) {
    for (const event of events.due(webhook)) {
      const { headers, body } = events.message(webhook.id, event.body)
      const response = await fetch(webhook.url, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
        signal: AbortSignal.timeout(10_000),
      }).catch(() => null)
      await response?.arrayBuffer().catch(() => null)
      if (!response?.ok) break
      event.takenBy.add(webhook.id)
    }
  }
}
