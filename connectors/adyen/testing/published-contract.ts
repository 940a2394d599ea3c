import { openContract } from '#testing/published-contract.ts'
import contract from './contract.json' with { type: 'json' }

/** Adyen's own description of Checkout, of disputes, and of the webhooks in its Management API. */
export const adyenContract = openContract(contract, {
  pathOf: (pathname) =>
    /^\/(?:(?:checkout\/)?v7[12]|ca\/services\/DisputeService\/v30|v3)(\/.*)$/.exec(pathname)?.[1] ?? null,
})

/** Each item by the schema of its event. The schemas close `additionalData`, against Adyen's own examples. */
export function problemsOfMessage(body: string): readonly string[] {
  const message = JSON.parse(body) as {
    notificationItems: { NotificationRequestItem: { eventCode: string } }[]
  }
  return message.notificationItems.flatMap((item) =>
    adyenContract.problemsOfWebhook(item.NotificationRequestItem.eventCode, {
      live: 'false',
      notificationItems: [item],
    }),
  )
}
