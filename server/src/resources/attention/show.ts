import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Registries } from '#processing/connectors.ts'
import { silentServiceIds } from '#resources/payment-services/find-unresolvable.ts'
import { KINDS, type KindName, type Place, type Waiting, waitingSince } from './find.ts'
import { ATTENTION_KINDS, type Attention, type AttentionItem, COUNT_MAX } from './schemas.ts'

const IDS_MAX = 5

/** What needs a person, as far as the caller may see it. */
export async function showAttention(
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
  return {
    type: 'attention-item',
    kind,
    count: Math.min(group.length, COUNT_MAX),
    has_more: group.length > COUNT_MAX,
    oldest_at: new Date(Math.min(...since)).toISOString(),
    ...link,
    ids: group.slice(0, IDS_MAX).map(({ id }) => id),
  }
}
