import { after, readDuration } from '#domain/duration.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/validation.ts'
import { lastMsOf } from '#platform/listing/bounds.ts'
import type { AdvanceSandboxClock } from './schemas.ts'

const AT_MOST = { months: 24, ms: 0 }
/** Cards, certificates and two-digit years end before. */
const LAST = Date.UTC(2100, 0, 1)

type Request = Sound<AdvanceSandboxClock>
type Found = { readonly target: Date } | { readonly complaint: ErrorDetail }

/** Where a request moves the clock to, or what is wrong with it. */
export function findTarget(request: Request, now: Date): Found {
  const { by, to } = request
  if (by && to) return { complaint: inBody('/to', 'value_error.conflict', 'send either by or to, not both') }
  if (typeof by === 'string') return afterDuration(by, now)
  if (typeof to === 'string') return within({ pointer: '/to', now }, new Date(lastMsOf(to, 'to', 'body')))
  return { complaint: inBody('', 'value_error.missing', 'send by, such as "P3D", or to, a time') }
}

type Place = { readonly pointer: '/by' | '/to'; readonly now: Date }

function afterDuration(by: string, now: Date): Found {
  const place = { pointer: '/by', now } as const
  const duration = readDuration(by)
  if (!duration) {
    return refuse(
      place,
      'value_error.str.regex',
      'must be an ISO 8601 duration in whole units, such as P3D or PT36H',
    )
  }
  return within(place, after(now, duration))
}

/** No target: it is beyond all dates. */
function within(place: Place, target: Date | undefined): Found {
  const { pointer, now } = place
  if (target && target <= now) {
    const than = pointer === '/by' ? 'must be longer than zero' : `must be after ${now.toISOString()}`
    return refuse(place, 'value_error.number.not_ge', `${than}: the clock only goes forward`)
  }
  const latest = after(now, AT_MOST)
  if (!target || !latest || target > latest) {
    return refuse(
      place,
      'value_error.number.not_le',
      'must be at most two years: move the clock in several steps',
    )
  }
  if (target.getTime() >= LAST)
    return refuse(place, 'value_error.number.not_le', 'must end before the year 2100')
  return { target }
}

function refuse({ pointer }: Place, type: ErrorDetail['type'], message: string): Found {
  return { complaint: inBody(pointer, type, message) }
}
