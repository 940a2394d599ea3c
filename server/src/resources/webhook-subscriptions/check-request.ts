import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { About, Sound } from '#platform/http/meaning.ts'
import type { Outgoing } from '#platform/outgoing/outgoing.ts'
import { eventComplaints } from './check-events.ts'
import { complaintsAboutAuthentication } from './read-authentication.ts'
import type { UpdateWebhookSubscription } from './schemas.ts'

/** Checks a subscription by itself: its URL, the names of events, and fields that its kind of authentication does not have. */
export function subscriptionComplaints(
  { url, authentication, events }: Sound<UpdateWebhookSubscription>,
  { isRight }: About,
  { complaintAbout }: Pick<Outgoing, 'complaintAbout'>,
): ErrorDetail[] {
  const aboutUrl = url ? complaintAbout(url) : undefined
  const isJudged = authentication && isRight('/authentication/kind')
  return [
    ...(aboutUrl ? [inBody('/url', 'value_error.url', aboutUrl)] : []),
    ...(events ? eventComplaints(events) : []),
    ...(isJudged ? complaintsAboutAuthentication(authentication, complaintAbout) : []),
  ]
}
