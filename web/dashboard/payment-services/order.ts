type Placed = { readonly id: string; readonly position: number }

/**
 * Which positions to set, so that one service comes before or after its neighbour. One is enough at both ends and where the
 * neighbours leave a gap. Otherwise all get new numbers, without those that keep their number.
 */
export function positionsAfter(services: readonly Placed[], id: string, step: 1 | -1): readonly Placed[] {
  const from = services.findIndex((one) => one.id === id)
  const moved = services[from]
  const to = from + step
  if (!moved || to < 0 || to >= services.length) return []
  const order = services.toSpliced(from, 1).toSpliced(to, 0, moved)
  const before = order[to - 1]?.position ?? Number.NEGATIVE_INFINITY
  const after = order[to + 1]?.position ?? Number.POSITIVE_INFINITY
  const free = Number.isFinite(before) ? before + 1 : after - 1
  if (free > before && free < after) return [{ id, position: free }]
  return order.flatMap((one, index) =>
    one.position === index + 1 ? [] : [{ id: one.id, position: index + 1 }],
  )
}
