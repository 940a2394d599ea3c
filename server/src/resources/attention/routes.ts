import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Registries } from '#processing/connectors.ts'
import type { Providers } from '#processing/provider.ts'
import { silentServiceIds } from '#resources/payment-services/find-unresolvable.ts'
import { KINDS, type KindName, type Place, type Waiting, waitingSince } from './find.ts'
import { ATTENTION_KINDS, Attention, type AttentionItem, COUNT_MAX } from './schemas.ts'

const IDS_MAX = 5

export function attentionRoutes({ providers }: { readonly providers: Providers }): Operation[] {
  return [
    operation({
      id: 'get_attention',
      route: 'GET /attention',
      tag: 'Attention',
      summary: 'Get attention',
      description:
        'What needs a person in a merchant account, each with a count of up to 100, the time of the oldest, the nearest deadline, and the list that shows them: ' +
        'payments that wait for a review, payments that are `processing` for more than 5 minutes, attempts whose outcome no provider can ' +
        'tell any more, chargebacks that can still be answered and were not, open incidents, events that a webhook subscription did not take, findings of page checks, certificates that expire ' +
        'within 30 days, payment services that are unverified or disabled, API keys that were not used for 90 days, and settlement reports that cannot be read or fit no payment.',
      scope: 'attention.read',
      concerns: 'merchant-account',
      responses: { 200: Attention },
      handler: (call) => showAttention(scopeOf(call), call.caller, providers),
    }),
  ]
}

/** What needs a person, as far as the caller may see it. */
async function showAttention(
  scope: Scope,
  caller: Caller,
  providers: Pick<Registries, 'connectors'>,
): Promise<Attention> {
  const place = { ...scope, caller, silentServiceIds: await silentServiceIds(scope, providers) }
  const visible = ATTENTION_KINDS.filter((name) => caller.may(KINDS[name].scope))
  const items: AttentionItem[] = []
  // One after the other: a page that many people keep open must not take many connections at once.
  for (const name of visible) items.push(...(await itemsOf(place, name)))
  return { type: 'attention', items, checked_at: scope.clock().toISOString() }
}

async function itemsOf(place: Place, name: KindName): Promise<AttentionItem[]> {
  const { select, link, isPerParent } = KINDS[name]
  const statement = select(place)
  if (!statement) return []
  const { rows } = await statement.execute(place.db)
  const groups = isPerParent ? [...Map.groupBy(rows, ({ parent }) => parent).values()] : [rows]
  return groups.flatMap((group) => {
    const [oldest] = group
    return oldest ? [itemOf(name, group, link(place, oldest))] : []
  })
}

function itemOf(
  kind: KindName,
  group: readonly Waiting[],
  link: ReturnType<(typeof KINDS)[KindName]['link']>,
): AttentionItem {
  const since = group.map(waitingSince).map((at) => at.getTime())
  const due = group.flatMap(({ due: at }) => at?.getTime() ?? [])
  return {
    type: 'attention-item',
    kind,
    count: Math.min(group.length, COUNT_MAX),
    has_more: group.length > COUNT_MAX,
    oldest_at: new Date(Math.min(...since)).toISOString(),
    due_at: due.length > 0 ? new Date(Math.min(...due)).toISOString() : null,
    ...link,
    ids: group.slice(0, IDS_MAX).map(({ id }) => id),
  }
}
